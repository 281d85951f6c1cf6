package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.RateLimited;
import io.sluice.spring.RequestAttribute;
import io.sluice.spring.web.RequestScope.Ending;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What both filters do. One test class for each web stack runs it. */
@Tag("slow")
public abstract class WebFilterContract {
    /** The user of the test applications, for basic authentication. */
    protected static final String ADA =
            "Basic " + Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8));

    /** Starts an application with these settings, on the memory store. */
    protected TestApplication start(String... properties) {
        return start(List.of(Attributes.class), properties);
    }

    /** Starts an application with these settings and further sources, on the memory store. */
    protected abstract TestApplication start(List<Class<?>> sources, String... properties);

    private TestApplication startWithPolicy(String... fields) {
        String[] properties = new String[fields.length + 1];
        properties[0] = "sluice.policies[0].name=p";
        for (int i = 0; i < fields.length; i++) {
            properties[i + 1] = "sluice.policies[0]." + fields[i];
        }
        return start(properties);
    }

    @Test
    void request_allowed_hasHeaders() throws Exception {
        try (TestApplication app = startWithPolicy("limit=2/h")) {
            HttpResponse<String> response = app.client().get("/hello");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("hello");
            assertThat(response.headers().firstValue("RateLimit-Policy")).contains("\"p\";q=2;w=3600");
            assertThat(response.headers().firstValue("RateLimit")).contains("\"p\";r=1;t=1800");
            assertThat(response.headers().firstValue("Retry-After")).isEmpty();
            assertThat(response.headers().firstValue("X-RateLimit-Limit")).isEmpty();
        }
    }

    @Test
    void request_denied_is429WithProblem() throws Exception {
        try (TestApplication app = startWithPolicy("limit=1/h")) {
            app.client().get("/hello");
            HttpResponse<String> denied = app.client().get("/hello");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).contains("3600");
            assertThat(denied.headers().firstValue("RateLimit")).contains("\"p\";r=0;t=3600");
            assertThat(denied.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
            assertThat(denied.body())
                    .contains("https://iana.org/assignments/http-problem-types#quota-exceeded")
                    .contains("\"violated-policies\":[\"p\"]");

            app.time().advance(Duration.ofHours(1));
            assertThat(app.client().get("/hello").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void headers_bySetting_areOffOrLegacy() throws Exception {
        try (TestApplication app = start(
                "sluice.policies[0].name=p",
                "sluice.policies[0].limit=1/h",
                "sluice.web.headers=false",
                "sluice.web.legacy-headers=true")) {
            HttpResponse<String> allowed = app.client().get("/hello");
            assertThat(allowed.headers().firstValue("RateLimit")).isEmpty();
            assertThat(allowed.headers().firstValue("X-RateLimit-Limit")).contains("1");
            HttpResponse<String> denied = app.client().get("/hello");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).contains("3600");
            assertThat(denied.headers().firstValue("X-RateLimit-Remaining")).contains("0");
        }
    }

    @Test
    void path_withParameters_matchesAsWithout() throws Exception {
        // Spring Security refuses such a path, so the filter has to come first.
        try (TestApplication app = start(
                "sluice.policies[0].name=p",
                "sluice.policies[0].limit=1/h",
                "sluice.policies[0].match.path=/hello",
                "sluice.web.position=before-security")) {
            assertThat(app.client().get("/other").headers().firstValue("RateLimit"))
                    .isEmpty();
            assertThat(app.client().get("/hello").statusCode()).isEqualTo(200);
            assertThat(app.client().get("/hello;x=1").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void attributes_namedByPolicies_areRead() throws Exception {
        List<String> matches = List.of(
                "method=GET",
                "header.X-Plan=free",
                "query.q=a b",
                "route=/items/{id}",
                "user=ada",
                "ip=203.0.113.9",
                "tenant=acme");
        List<String> properties = new ArrayList<>();
        for (int i = 0; i < matches.size(); i++) {
            properties.add("sluice.policies[" + i + "].name=p" + i);
            properties.add("sluice.policies[" + i + "].limit=100/h");
            properties.add("sluice.policies[" + i + "].match." + matches.get(i));
        }
        try (TestApplication app = start(properties.toArray(String[]::new))) {
            assertThat(applied(app.client()
                            .get(
                                    "/items/7?q=a%20b",
                                    "X-Plan",
                                    "free",
                                    "X-Tenant",
                                    "acme",
                                    "X-Forwarded-For",
                                    "203.0.113.9",
                                    "Authorization",
                                    ADA)))
                    .containsExactly("p0", "p1", "p2", "p3", "p4", "p5", "p6");
            assertThat(applied(app.client().get("/none"))).containsExactly("p0");
        }
    }

    /** The names of the policies that applied. */
    private static List<String> applied(HttpResponse<String> response) {
        return Pattern.compile("\"(p\\d)\"")
                .matcher(response.headers().firstValue("RateLimit-Policy").orElse(""))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void excludedPath_isNotLimited_butNoOtherPathThatOnlyLooksLikeIt() throws Exception {
        try (TestApplication app = start(
                "sluice.policies[0].name=p",
                "sluice.policies[0].limit=blocked",
                "sluice.web.exclude=/hello/**,/hello",
                "sluice.web.position=before-security")) {
            assertThat(app.client().get("/hello").statusCode()).isEqualTo(200);
            assertThat(app.client().get("/items/7").statusCode()).isEqualTo(429);
            assertThat(app.client().get("/hello/../items/7").statusCode()).isEqualTo(429);
            assertThat(app.client().get("/hello/%2e%2e/items/7").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void forwardedHeader_ofUntrustedPeer_isIgnored() throws Exception {
        try (TestApplication app = start(
                "sluice.policies[0].name=p",
                "sluice.policies[0].key=ip",
                "sluice.policies[0].limit=1/h",
                "sluice.web.trusted-proxies=10.0.0.0/8")) {
            assertThat(app.client()
                            .get("/hello", "X-Forwarded-For", "203.0.113.1")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(app.client()
                            .get("/hello", "X-Forwarded-For", "203.0.113.2")
                            .statusCode())
                    .isEqualTo(429);
        }
    }

    @Test
    void position_beforeSecurity_countsRefusedRequests() throws Exception {
        for (String position : List.of("before-security", "after-security")) {
            try (TestApplication app = start(
                    "sluice.policies[0].name=p", "sluice.policies[0].limit=1/h", "sluice.web.position=" + position)) {
                assertThat(app.client().get("/secret").statusCode()).isEqualTo(401);
                assertThat(app.client().get("/secret").statusCode())
                        .isEqualTo(position.startsWith("before") ? 429 : 401);
            }
        }
    }

    @Test
    void leakyBucket_delay_isWaited() throws Exception {
        try (TestApplication app = startWithPolicy("limit=leaky-bucket 1/s capacity 10")) {
            assertThat(app.client().get("/hello").statusCode()).isEqualTo(200);
            int tasks = app.time().scheduled();
            CompletableFuture<HttpResponse<String>> second = app.client().getAsync("/hello");
            app.time().awaitScheduled(tasks + 1);
            assertThat(second).isNotDone();
            app.time().advance(Duration.ofSeconds(1));
            HttpResponse<String> response = second.get(1, TimeUnit.MINUTES);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("hello");
        }
    }

    @Test
    void scope_ends_afterSuccessAndFailure() throws Exception {
        try (TestApplication app = startWithPolicy("limit=100/h")) {
            Endings endings = app.bean(Endings.class);
            app.client().get("/scope");
            assertThat(endings.next().ending()).isEqualTo(Ending.COMPLETED);
            assertThat(app.client().get("/scope?fail").statusCode()).isEqualTo(500);
            assertThat(endings.next().status()).isNotEqualTo(429);
        }
    }

    @Test
    void namedPolicy_isChargedByTheMethodOnly_withAttributesOfTheRequest() throws Exception {
        try (TestApplication app = start(
                List.of(Attributes.class, Annotated.class),
                "sluice.policies[0].name=named",
                "sluice.policies[0].key=tenant",
                "sluice.policies[0].limit=1/h")) {
            assertThat(app.client().get("/hello", "X-Tenant", "acme").headers().firstValue("RateLimit"))
                    .isEmpty();
            assertThat(app.client().get("/annotated", "X-Tenant", "acme").body())
                    .isEqualTo("annotated");
            HttpResponse<String> denied = app.client().get("/annotated", "X-Tenant", "acme");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).contains("3600");
            assertThat(denied.body()).contains("\"violated-policies\":[\"named\"]");
            assertThat(app.client().get("/annotated", "X-Tenant", "other").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void disabled_limitsNothing() throws Exception {
        for (String off : List.of("sluice.enabled=false", "sluice.web.enabled=false")) {
            try (TestApplication app = start("sluice.policies[0].name=p", "sluice.policies[0].limit=blocked", off)) {
                HttpResponse<String> response = app.client().get("/hello");
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.headers().firstValue("RateLimit")).isEmpty();
            }
        }
    }

    /** A handler that names a policy. */
    @RestController
    public static class Annotated {
        @RateLimited("named")
        @GetMapping("/annotated")
        public Mono<String> annotated() {
            return Mono.just("annotated");
        }
    }

    /** An attribute of the application. */
    @Configuration(proxyBeanMethods = false)
    public static class Attributes {
        @Bean
        RequestAttribute tenant() {
            return RequestAttribute.of("tenant", request -> request.header("X-Tenant"));
        }

        @Bean
        Endings endings() {
            return new Endings();
        }
    }
}
