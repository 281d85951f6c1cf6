package io.sluice.spring.method;

import io.sluice.spring.web.RequestScope;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/**
 * Finds the request of WebFlux by a parameter of the method, because no thread knows it. Methods that return a {@code Mono} or a {@code
 * Flux} find it in their subscription too.
 */
final class ExchangeRequestLookup implements RequestLookup {
    @Override
    public Map<String, String> attributes(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof ServerWebExchange exchange
                    && exchange.getAttribute(RequestScope.ATTRIBUTE) instanceof RequestScope scope) {
                return scope.attributes();
            }
        }
        return NO_REQUEST;
    }

    @Override
    public boolean canFindFor(Method method) {
        return Arrays.asList(method.getParameterTypes()).contains(ServerWebExchange.class);
    }
}
