package io.sluice.spring;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that an application adds to its requests. Declare it as a bean:
 *
 * <pre>{@code
 * @Bean
 * RequestAttribute tenant(Tenants tenants) {
 *     return RequestAttribute.of("tenant", request -> tenants.ofApiKey(request.header("X-Api-Key")));
 * }
 * }</pre>
 *
 * <p>It is asked only if a policy names it. It comes before an attribute of Sluice with the same name. It must not block:
 * on WebFlux it runs on the thread of an event loop.
 */
public interface RequestAttribute {
    /** The name by which policies refer to it. */
    String name();

    /** The value for a request; null if the request does not have this attribute. */
    @Nullable
    String value(HttpRequestView request);

    /** An attribute from a function. */
    static RequestAttribute of(String name, Function<HttpRequestView, @Nullable String> value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        return new RequestAttribute() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public @Nullable String value(HttpRequestView request) {
                return value.apply(request);
            }
        };
    }
}
