package io.sluice.spring.servlet;

import io.sluice.http.QuotaExceeded;
import io.sluice.policy.PolicyDecision;
import io.sluice.spring.web.Entered;
import io.sluice.spring.web.RequestAttributes;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.End;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.spring.web.WebDecisions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Decides each request once, when it arrives. A denied request gets 429 and does not go further. {@link DelayFilter} makes an
 * allowed request wait for its delay.
 */
final class RateLimitFilter implements Filter {
    private final WebDecisions decisions;
    private final Routes routes;

    RateLimitFilter(WebDecisions decisions, Routes routes) {
        this.decisions = decisions;
        this.routes = routes;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse httpResponse
                && request.getDispatcherType() == DispatcherType.REQUEST
                && request.getAttribute(RequestScope.ATTRIBUTE) == null) {
            decide(http, httpResponse, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void decide(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ServletRequestView view = new ServletRequestView(request, decisions.addresses(), routes);
        RequestAttributes attributes = decisions.attributes(view);
        if (!decisions.decides(view)) {
            inScope(RequestScope.undecided(attributes), request, response, chain);
            return;
        }
        Entered entered = decisions.enter(attributes);
        PolicyDecision decision = entered.decision();
        decisions.response().setHeaders(decision, response::setHeader);
        if (!decision.allowed()) {
            deny(response, decision);
            return;
        }
        RequestScope scope = entered.scope(attributes);
        decisions.watch(scope);
        inScope(scope, request, response, chain);
    }

    private static void inScope(
            RequestScope scope, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(RequestScope.ATTRIBUTE, scope);
        Throwable failure = null;
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(new EndOfAsync(scope, response));
            } else {
                scope.end(new End(failure == null ? Ending.COMPLETED : Ending.FAILED, response.getStatus(), failure));
            }
        }
    }

    private void deny(HttpServletResponse response, PolicyDecision decision) throws IOException {
        byte[] body = decisions.response().body(decision).getBytes(StandardCharsets.UTF_8);
        response.setStatus(QuotaExceeded.STATUS);
        response.setContentType(QuotaExceeded.CONTENT_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
