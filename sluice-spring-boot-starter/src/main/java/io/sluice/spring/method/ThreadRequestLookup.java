package io.sluice.spring.method;

import io.sluice.spring.web.RequestScope;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** Finds the request of the servlet stack. */
final class ThreadRequestLookup implements RequestLookup {
    @Override
    public Map<String, String> attributes(@Nullable Object[] arguments) {
        RequestScope scope = scope();
        return scope == null ? NO_REQUEST : scope.attributes();
    }

    @Override
    public @Nullable RequestScope scope() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        return request != null
                        && request.getAttribute(RequestScope.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST)
                                instanceof RequestScope scope
                ? scope
                : null;
    }
}
