package io.sluice.spring.method;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.RateLimitedException;
import io.sluice.http.QuotaExceeded;
import io.sluice.spring.web.DenialOf;
import io.sluice.spring.web.RateLimitResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Responds with 429 if {@link RateLimitedException} leaves a handler of Spring MVC. Exception handlers of the application come first. */
final class RateLimitedMvcResolver implements HandlerExceptionResolver, Ordered {
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        RateLimitedException denial = DenialOf.response(failure);
        if (denial == null || response.isCommitted()) {
            return null;
        }
        byte[] body = RateLimitResponse.body(denial).getBytes(UTF_8);
        response.resetBuffer();
        response.setStatus(QuotaExceeded.STATUS);
        response.setContentType(QuotaExceeded.CONTENT_TYPE);
        response.setContentLength(body.length);
        long retryAfter = RateLimitResponse.retryAfter(denial);
        if (retryAfter > 0) {
            response.setHeader("Retry-After", Long.toString(retryAfter));
        }
        try {
            response.getOutputStream().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelAndView();
    }
}
