package io.sluice.spring.servlet;

import io.sluice.TimeSource;
import io.sluice.spring.web.RequestScope;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/*
 * Why this is a filter of its own, and the innermost one: after the delay, the container dispatches the request again, and most
 * filters do not run for such a dispatch. So all of them must have run before the delay.
 */
/** Makes a request wait for the delay of its decision, without a thread. */
final class DelayFilter implements Filter {
    private static final String DELAYED = DelayFilter.class.getName() + ".delayed";

    private final TimeSource time;

    DelayFilter(TimeSource time) {
        this.time = time;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        long micros = delayMicros(request);
        if (micros == 0) {
            chain.doFilter(request, response);
        } else {
            request.setAttribute(DELAYED, true);
            if (request.isAsyncSupported()) {
                AsyncContext context = request.startAsync(request, response);
                context.setTimeout(0);
                time.schedule(micros, context::dispatch);
            } else {
                sleep(micros);
                chain.doFilter(request, response);
            }
        }
    }

    private static long delayMicros(ServletRequest request) {
        return request.getDispatcherType() == DispatcherType.REQUEST
                        && request.getAttribute(DELAYED) == null
                        && request.getAttribute(RequestScope.ATTRIBUTE) instanceof RequestScope scope
                ? scope.decision().delayMicros()
                : 0;
    }

    /** A servlet or a filter of the application does not support asynchronous requests. */
    private static void sleep(long micros) throws ServletException {
        try {
            TimeUnit.MICROSECONDS.sleep(micros);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServletException("interrupted while the request waited for its turn", e);
        }
    }
}
