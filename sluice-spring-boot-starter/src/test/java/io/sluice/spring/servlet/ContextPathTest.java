package io.sluice.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.match.PathNormaliser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContextPathTest {
    /** What a policy sees: the path is normalised before it is matched. */
    private static String matched(String uri, String context) {
        return PathNormaliser.normalise(ContextPath.remove(uri, context));
    }

    @ParameterizedTest
    @CsvSource({
        // As Tomcat returns it: the context path as it stands in the URI, without slashes before it.
        "/app/orders, /app, /orders",
        "/app;x=1/orders;y=2, /app;x=1, /orders",
        "/app;/orders, /app;, /orders",
        "//app/orders, /app, /orders",
        "/%61pp/orders, /%61pp, /orders",
        "/x/../app/orders, /x/../app, /orders",
        // As others return it: as it is configured.
        "/app;x=1/orders, /app, /orders",
        "/%61pp/orders, /app, /orders",
        "/x/../app/orders, /app, /orders",
        "/./app//orders, /app, /orders",
        "/app/../app/orders, /app, /orders",
        "/app/%2e%2e/app/orders, /app, /orders",
        // The root of the application.
        "/app, /app, /",
        "/app;x=1, /app;x=1, /",
        "/app/, /app, /",
        // The context path is no prefix of the text only.
        "/application/orders, /app, /application/orders",
        // Escapes are decoded once.
        "/app/%2561, /app, /%61",
        "/%61pp/%2561, /app, /%61",
        "/%61pp/a%3Fb, /app, /a?b",
        "/app/a%3Fb, /app, /a?b",
        "/app/a%20b, /app, /a b",
    })
    void path_isThatWithinTheApplication_howeverTheContextIsSpelled(String uri, String context, String expected) {
        assertThat(matched(uri, context)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"/orders, /orders", "/orders;x=1, /orders", "'', /", "/app/orders, /app/orders"})
    void path_withoutAContextPath_isWhole(String uri, String expected) {
        assertThat(matched(uri, "")).isEqualTo(expected);
    }
}
