package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.RateLimited;
import io.sluice.spring.RequestAttribute;
import io.sluice.spring.web.RequestScope.Ending;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/*
 * To start an application takes seconds. So all tests share two of them, one for each position of the filter, and each test has its own
 * key. Which policies apply, a request says by the header X-Case. Only tests of other settings start their own application.
 */
/** What both filters do. One test class for each web stack runs it. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class WebFilterContract {
    /** The user of the test applications, for basic authentication. */
    protected static final String ADA =
            "Basic " + Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8));

    private static final List<String> ATTRIBUTES = List.of(
            "method=GET",
            "header.X-Plan=free",
            "query.q=a b",
            "route=/items/{id}",
            "user=ada",
            "ip=203.0.113.9",
            "tenant=acme");

    private final List<TestApplication> started = new ArrayList<>();
    private @Nullable TestApplication after;
    private @Nullable TestApplication before;

    /** Starts an application with these settings and further sources, on the memory store. */
    protected abstract TestApplication start(List<Class<?>> sources, String... properties);

    private TestApplication start(PolicySettings policies, String... properties) {
        TestApplication app = start(
                List.of(Attributes.class, Annotated.class),
                Stream.concat(policies.properties().stream(), Stream.of(properties))
                        .toArray(String[]::new));
        started.add(app);
        return app;
    }

    /**
     * Policies that apply to requests of one case, with the header X-Key as key.
     *
     * @param tenant the attribute of the tenant. One of the application makes the filters look up the user.
     */
    private static PolicySettings cases(String tenant) {
        return new PolicySettings()
                .add("one", "match.header.X-Case=one", "key=header.X-Key", "limit=1/h")
                .add("two", "match.header.X-Case=two", "key=header.X-Key", "limit=2/h")
                .add("slow", "match.header.X-Case=slow", "key=header.X-Key", "limit=leaky-bucket 1/s capacity 10")
                .add("in-flight", "match.header.X-Case=in-flight", "key=header.X-Key", "limit=concurrency 1 hold 30s")
                .add("blocked", "match.header.X-Case=blocked", "limit=blocked")
                .add("path", "match.header.X-Case=path", "match.path=/hello", "key=header.X-Key", "limit=1/h")
                .add("gets", "match.header.X-Case=methods", "match.method=GET", "limit=1/h")
                .add("heads", "match.header.X-Case=methods", "match.method=HEAD", "limit=1/h")
                .add("ip", "match.header.X-Case=ip", "key=ip", "limit=1/h")
                .add("named", "key=" + tenant, "limit=1/h");
    }

    /** The application whose filter comes after Spring Security. Its policies need the user and the route. */
    protected final TestApplication afterSecurity() {
        TestApplication app = after;
        if (app == null) {
            PolicySettings policies = cases("tenant");
            for (int i = 0; i < ATTRIBUTES.size(); i++) {
                policies.add("p" + i, "match.header.X-Case=attributes", "match." + ATTRIBUTES.get(i), "limit=100/h");
            }
            policies.add("routes", "match.header.X-Case=route", "key=route", "limit=100/h");
            policies.add(
                    "tokens",
                    "match.header.X-Case=tokens",
                    "key=header.X-Key",
                    "limit=fixed-window 100 per 1d from-first");
            app = start(policies, "sluice.web.position=after-security", "sluice.web.costs=tokens");
            after = app;
        }
        return app;
    }

    /** The application whose filter comes before Spring Security. Its policies need neither the user nor the route. */
    protected final TestApplication beforeSecurity() {
        TestApplication app = before;
        if (app == null) {
            app = start(
                    cases("header.X-Tenant"),
                    "sluice.web.position=before-security",
                    "sluice.web.exclude=/free/**,/free",
                    "sluice.web.trusted-proxies=10.0.0.0/8");
            before = app;
        }
        return app;
    }

    @AfterAll
    void close() {
        started.forEach(TestApplication::close);
    }

    /** Gets a path as a request of a case. */
    private static HttpResponse<String> get(TestApplication app, String path, String kind, String key)
            throws Exception {
        return app.client().get(path, "X-Case", kind, "X-Key", key);
    }

    @Test
    void request_allowed_hasHeaders() throws Exception {
        for (TestApplication app : List.of(afterSecurity(), beforeSecurity())) {
            HttpResponse<String> response = get(app, "/hello", "two", "allowed");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("hello");
            assertThat(response.headers().firstValue("RateLimit-Policy")).contains("\"two\";q=2;w=3600");
            assertThat(response.headers().firstValue("RateLimit")).contains("\"two\";r=1;t=1800");
            assertThat(response.headers().firstValue("Retry-After")).isEmpty();
            assertThat(response.headers().firstValue("X-RateLimit-Limit")).isEmpty();
        }
    }

    @Test
    void request_denied_is429WithProblem() throws Exception {
        for (TestApplication app : List.of(afterSecurity(), beforeSecurity())) {
            get(app, "/hello", "one", "denied");
            HttpResponse<String> denied = get(app, "/hello", "one", "denied");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).contains("3600");
            assertThat(denied.headers().firstValue("RateLimit")).contains("\"one\";r=0;t=3600");
            assertThat(denied.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
            assertThat(denied.body())
                    .contains("https://iana.org/assignments/http-problem-types#quota-exceeded")
                    .contains("\"violated-policies\":[\"one\"]");

            app.time().advance(Duration.ofHours(1));
            assertThat(get(app, "/hello", "one", "denied").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void headers_bySetting_areOffOrLegacy() throws Exception {
        TestApplication app =
                start(cases("header.X-Tenant"), "sluice.web.headers=false", "sluice.web.legacy-headers=true");
        HttpResponse<String> allowed = get(app, "/hello", "one", "legacy");
        assertThat(allowed.headers().firstValue("RateLimit")).isEmpty();
        assertThat(allowed.headers().firstValue("X-RateLimit-Limit")).contains("1");
        HttpResponse<String> denied = get(app, "/hello", "one", "legacy");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).contains("3600");
        assertThat(denied.headers().firstValue("X-RateLimit-Remaining")).contains("0");
    }

    @Test
    void path_withParameters_matchesAsWithout() throws Exception {
        // Spring Security refuses such a path, so the filter has to come first.
        TestApplication app = beforeSecurity();
        assertThat(get(app, "/other", "path", "parameters").headers().firstValue("RateLimit"))
                .isEmpty();
        assertThat(get(app, "/hello", "path", "parameters").statusCode()).isEqualTo(200);
        assertThat(get(app, "/hello;x=1", "path", "parameters").statusCode()).isEqualTo(429);
    }

    @Test
    void attributes_namedByPolicies_areRead() throws Exception {
        TestApplication app = afterSecurity();
        assertThat(applied(app.client()
                        .get(
                                "/items/7?q=a%20b",
                                "X-Case",
                                "attributes",
                                "X-Plan",
                                "free",
                                "X-Tenant",
                                "acme",
                                "X-Forwarded-For",
                                "203.0.113.9",
                                "Authorization",
                                ADA)))
                .containsExactly("p0", "p1", "p2", "p3", "p4", "p5", "p6");
        assertThat(applied(app.client().get("/none", "X-Case", "attributes"))).containsExactly("p0");
        // It matches the pattern of files, /**, which is no route.
        assertThat(app.client().get("/none", "X-Case", "route").headers().firstValue("RateLimit"))
                .isEmpty();
        assertThat(app.client().get("/items/7", "X-Case", "route").headers().firstValue("RateLimit"))
                .isPresent();
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
        TestApplication app = beforeSecurity();
        assertThat(get(app, "/free", "blocked", "").statusCode()).isEqualTo(200);
        assertThat(get(app, "/items/7", "blocked", "").statusCode()).isEqualTo(429);
        assertThat(get(app, "/free/../items/7", "blocked", "").statusCode()).isEqualTo(429);
        assertThat(get(app, "/free/%2e%2e/items/7", "blocked", "").statusCode()).isEqualTo(429);
    }

    @Test
    void forwardedHeader_ofUntrustedPeer_isIgnored() throws Exception {
        TestClient client = beforeSecurity().client();
        assertThat(client.get("/hello", "X-Case", "ip", "X-Forwarded-For", "203.0.113.1")
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.get("/hello", "X-Case", "ip", "X-Forwarded-For", "203.0.113.2")
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void position_beforeSecurity_countsRefusedRequests() throws Exception {
        assertThat(get(beforeSecurity(), "/secret", "one", "position").statusCode())
                .isEqualTo(401);
        assertThat(get(beforeSecurity(), "/secret", "one", "position").statusCode())
                .isEqualTo(429);
        assertThat(get(afterSecurity(), "/secret", "one", "position").statusCode())
                .isEqualTo(401);
        assertThat(get(afterSecurity(), "/secret", "one", "position").statusCode())
                .isEqualTo(401);
    }

    @Test
    void leakyBucket_delay_isWaited() throws Exception {
        TestApplication app = afterSecurity();
        assertThat(get(app, "/hello", "slow", "delay").statusCode()).isEqualTo(200);
        int tasks = app.time().scheduled();
        CompletableFuture<HttpResponse<String>> second =
                app.client().getAsync("/hello", "X-Case", "slow", "X-Key", "delay");
        app.time().awaitScheduled(tasks + 1);
        assertThat(second).isNotDone();
        app.time().advance(Duration.ofSeconds(1));
        HttpResponse<String> response = second.get(1, TimeUnit.MINUTES);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("hello");
    }

    @Test
    void scope_ends_afterSuccessAndFailure() throws Exception {
        TestApplication app = afterSecurity();
        Endings endings = app.bean(Endings.class);
        get(app, "/scope", "two", "scope");
        assertThat(endings.next().ending()).isEqualTo(Ending.COMPLETED);
        assertThat(get(app, "/scope?fail", "two", "scope").statusCode()).isEqualTo(500);
        assertThat(endings.next().status()).isNotEqualTo(429);
    }

    @Test
    void namedPolicy_isChargedByTheMethodOnly_withAttributesOfTheRequest() throws Exception {
        TestClient client = afterSecurity().client();
        assertThat(client.get("/hello", "X-Tenant", "acme").headers().firstValue("RateLimit"))
                .isEmpty();
        assertThat(client.get("/annotated", "X-Tenant", "acme").body()).isEqualTo("annotated");
        HttpResponse<String> denied = client.get("/annotated", "X-Tenant", "acme");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).contains("3600");
        assertThat(denied.body()).contains("\"violated-policies\":[\"named\"]");
        assertThat(client.get("/annotated", "X-Tenant", "other").statusCode()).isEqualTo(200);
    }

    /** A method with a policy needs the attributes of the request, whether or not the filter decides. */
    @Test
    void namedPolicy_whereTheFilterDoesNotDecide_hasTheAttributesOfTheRequest() throws Exception {
        for (String setting : List.of("sluice.web.enabled=false", "sluice.web.exclude=/annotated")) {
            TestClient client = start(cases("tenant"), setting).client();
            String[] acme = {"X-Tenant", "acme", "X-Case", "one", "X-Key", "not-decided"};
            HttpResponse<String> first = client.get("/annotated", acme);
            assertThat(first.statusCode()).as(setting).isEqualTo(200);
            assertThat(first.headers().firstValue("RateLimit")).isEmpty();
            assertThat(client.get("/annotated", acme).statusCode()).as(setting).isEqualTo(429);
        }
    }

    /** A browser asks first. Policies can leave out such requests by their method. */
    @Test
    void preflightAndHead_areRequestsByTheirMethod() throws Exception {
        TestApplication app = beforeSecurity();
        assertThat(status(app, "OPTIONS")).isEqualTo(200);
        assertThat(status(app, "HEAD")).isEqualTo(200);
        assertThat(status(app, "HEAD")).isEqualTo(429);
        assertThat(status(app, "GET")).isEqualTo(200);
        assertThat(status(app, "GET")).isEqualTo(429);
        assertThat(status(app, "OPTIONS")).isEqualTo(200);
    }

    private static int status(TestApplication app, String method) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(app.client().uri("/hello"))
                .header("X-Case", "methods")
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void managementPort_isNotLimited() throws Exception {
        // Here, two servers are on the classpath, and on Spring Boot 4.1 each defines the same bean for the port.
        TestApplication app = start(
                cases("header.X-Tenant"),
                "management.server.port=0",
                "management.endpoints.web.base-path=/manage",
                "spring.main.allow-bean-definition-overriding=true");
        assertThat(get(app, "/hello", "blocked", "").statusCode()).isEqualTo(429);
        TestClient management = new TestClient(app.managementPort());
        HttpResponse<String> health = management.get("/manage/health/ping", "X-Case", "blocked");
        assertThat(health.statusCode()).isNotEqualTo(429);
        assertThat(health.headers().firstValue("RateLimit")).isEmpty();
    }

    /** The permits that a key of the case in-flight has free. */
    protected static long free(TestApplication app, String key) {
        return app.bean(PolicyEngine.class)
                .check(Map.of("header.X-Case", "in-flight", "header.X-Key", key), 0)
                .results()
                .get(0)
                .decision()
                .remaining();
    }

    @Test
    void inFlight_request_leavesAtTheEndOfItsResponse_alsoAfterAFailure() throws Exception {
        TestApplication app = afterSecurity();
        Endings endings = app.bean(Endings.class);
        for (String path : List.of("/scope", "/scope?fail", "/stream", "/stream?fail", "/scope")) {
            app.client()
                    .getAsync(path, "X-Case", "in-flight", "X-Key", "ends")
                    .handle((response, failure) -> null)
                    .get(1, TimeUnit.MINUTES);
            endings.next();
            assertThat(free(app, "ends")).as(path).isEqualTo(1);
        }
    }

    @Test
    void inFlight_request_holdsUntilItsHandlerAnswers() throws Exception {
        for (TestApplication app : List.of(afterSecurity(), beforeSecurity())) {
            Pending pending = app.bean(Pending.class);
            CompletableFuture<HttpResponse<String>> first =
                    app.client().getAsync("/pending", "X-Case", "in-flight", "X-Key", "holds");
            CompletableFuture<String> answer = pending.arrived();
            for (int i = 0; i < 5; i++) {
                app.time().advance(Duration.ofSeconds(10));
            }
            HttpResponse<String> denied = get(app, "/hello", "in-flight", "holds");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).contains("1");
            assertThat(denied.headers().firstValue("RateLimit-Policy")).contains("\"in-flight\";q=1;w=30");
            assertThat(get(app, "/hello", "in-flight", "other").statusCode()).isEqualTo(200);
            assertThat(free(app, "holds")).isZero();

            answer.complete("answered");
            assertThat(first.get(1, TimeUnit.MINUTES).body()).isEqualTo("answered");
            assertThat(pending.ended()).isEqualTo(Ending.COMPLETED);
            assertThat(free(app, "holds")).isEqualTo(1);
        }
    }

    @Test
    void adapt_followsTheFailuresAndTheLatencyOfRequests() throws Exception {
        String[] common = {"match.header.X-Case=adapt", "limit=100/h", "scope=process"};
        PolicySettings policies = cases("header.X-Tenant")
                .add("errors", with(common, "adapt.signal=errors", "adapt.above=50%", "adapt.below=10%"))
                .add(
                        "latency",
                        with(
                                common,
                                "adapt.signal=latency",
                                "adapt.percentile=99",
                                "adapt.target=1s",
                                "adapt.above=100%",
                                "adapt.below=10%"));
        TestApplication app = start(policies);
        PolicyEngine engine = app.bean(PolicyEngine.class);
        assertThat(get(app, "/scope?fail", "adapt", "").statusCode()).isEqualTo(500);
        app.bean(Endings.class).next();
        app.time().advance(Duration.ofSeconds(1));
        assertThat(engine.factors().get("errors")).isEqualByComparingTo("0.5");
        assertThat(engine.factors().get("latency")).isEqualByComparingTo("1");

        Pending pending = app.bean(Pending.class);
        CompletableFuture<HttpResponse<String>> slow = app.client().getAsync("/pending", "X-Case", "adapt");
        CompletableFuture<String> answer = pending.arrived();
        app.time().advance(Duration.ofSeconds(2));
        answer.complete("answered");
        assertThat(slow.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        pending.ended();
        app.time().advance(Duration.ofSeconds(1));
        assertThat(engine.factors().get("latency")).isEqualByComparingTo("0.5");
        assertThat(get(app, "/hello", "adapt", "").headers().firstValue("RateLimit-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).contains("\"latency\";q=50;"));
    }

    private static String[] with(String[] common, String... more) {
        return Stream.concat(Stream.of(common), Stream.of(more)).toArray(String[]::new);
    }

    /** The permits of the tokens that are left, as a request that only looks is told. */
    protected static String tokensLeft(TestApplication app, String key) throws Exception {
        HttpResponse<String> response = get(app, "/hello", "tokens", key);
        String left = response.headers().firstValue("RateLimit").orElse("").replaceAll(".*;r=(\\d+).*", "$1");
        return response.statusCode() + " " + left;
    }

    @Test
    void cost_chargedByAHandler_isADebtThatDeniesUntilItIsPaid() throws Exception {
        TestApplication app = afterSecurity();
        assertThat(tokensLeft(app, "charge")).isEqualTo("200 100");
        assertThat(tokensLeft(app, "charge")).isEqualTo("200 100");
        assertThat(get(app, "/charge?n=60", "tokens", "charge").body()).isEqualTo("allowed, 40 left");
        assertThat(get(app, "/charge?n=70", "tokens", "charge").body()).isEqualTo("denied, 0 left");
        assertThat(tokensLeft(app, "charge")).isEqualTo("429 0");
        app.time().advance(Duration.ofDays(1));
        assertThat(tokensLeft(app, "charge")).isEqualTo("200 100");
    }

    @Test
    void cost_ofAStream_isChargedWhenItEnds() throws Exception {
        TestApplication app = afterSecurity();
        Endings endings = app.bean(Endings.class);
        assertThat(get(app, "/stream", "tokens", "stream").body()).isEqualTo("abc");
        assertThat(endings.next().ending()).isEqualTo(Ending.COMPLETED);
        assertThat(tokensLeft(app, "stream")).isEqualTo("200 70");
    }

    @Test
    void cost_ofAStreamThatFails_isWhatItHasUsed() throws Exception {
        TestApplication app = afterSecurity();
        app.client()
                .getAsync("/stream?fail", "X-Case", "tokens", "X-Key", "stream-fails")
                .handle((response, failure) -> null)
                .get(1, TimeUnit.MINUTES);
        assertThat(app.bean(Endings.class).next().ending()).isEqualTo(Ending.FAILED);
        assertThat(tokensLeft(app, "stream-fails")).isEqualTo("200 80");
    }

    @Test
    void reserve_isChargedAtOnce_andSettledByTheTrueCostAtTheEnd() throws Exception {
        TestApplication app = afterSecurity();
        Endings endings = app.bean(Endings.class);
        assertThat(get(app, "/reserve?n=60&used=20", "tokens", "reserve").body())
                .isEqualTo("40 left");
        assertThat(endings.next().ending()).isEqualTo(Ending.COMPLETED);
        assertThat(tokensLeft(app, "reserve")).isEqualTo("200 80");
        // More than the estimate is charged too, into debt.
        get(app, "/reserve?n=10&used=90", "tokens", "reserve");
        endings.next();
        assertThat(tokensLeft(app, "reserve")).isEqualTo("429 0");
    }

    @Test
    void reserve_ofARequestThatFails_isSettledByWhatItHasUsed() throws Exception {
        TestApplication app = afterSecurity();
        assertThat(get(app, "/reserve?n=60&used=5&fail=true", "tokens", "reserve-fails")
                        .statusCode())
                .isEqualTo(500);
        assertThat(app.bean(Endings.class).next().ending()).isEqualTo(Ending.FAILED);
        assertThat(tokensLeft(app, "reserve-fails")).isEqualTo("200 95");
    }

    @Test
    void reserve_beyondTheLimit_is429AndChargesNothing() throws Exception {
        TestApplication app = afterSecurity();
        HttpResponse<String> denied = get(app, "/reserve?n=101&used=1", "tokens", "reserve-denied");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).contains("\"violated-policies\":[\"tokens\"]");
        assertThat(tokensLeft(app, "reserve-denied")).isEqualTo("200 100");
    }

    /** The start refuses nothing, so a charge must not be lost without a word. */
    @Test
    void cost_withoutNamedPolicies_isChargedToThoseOfTheFilter() throws Exception {
        TestApplication app = beforeSecurity();
        assertThat(get(app, "/charge?n=1", "two", "no-costs").body()).isEqualTo("allowed, 0 left");
        assertThat(get(app, "/hello", "two", "no-costs").statusCode()).isEqualTo(429);
        get(app, "/reserve?n=1&used=0", "two", "no-costs-reserve");
        app.bean(Endings.class).next();
        assertThat(get(app, "/hello", "two", "no-costs-reserve").statusCode()).isEqualTo(200);
        assertThat(get(app, "/hello", "two", "no-costs-reserve").statusCode()).isEqualTo(429);
    }

    /** The decision after a charge, as the handlers of both stacks answer it. */
    protected static String text(PolicyDecision decision) {
        return (decision.allowed() ? "allowed, " : "denied, ")
                + decision.results().get(0).decision().remaining() + " left";
    }

    @Test
    void disabled_limitsNothing() throws Exception {
        for (String off : List.of("sluice.enabled=false", "sluice.web.enabled=false")) {
            TestApplication app = start(cases("header.X-Tenant"), off);
            HttpResponse<String> response = get(app, "/hello", "blocked", "");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("RateLimit")).isEmpty();
        }
    }

    /** The permits that are left right after an estimate is reserved. */
    protected static String left(PolicyEngine engine, Map<String, String> attributes) {
        return engine.check(attributes, 0).results().get(0).decision().remaining() + " left";
    }

    /** A handler that names a policy. */
    @RestController
    public static class Annotated {
        private final Pending pending;

        Annotated(Pending pending) {
            this.pending = pending;
        }

        @GetMapping("/pending")
        public Mono<String> pending(
                @org.springframework.web.bind.annotation.RequestAttribute(RequestScope.ATTRIBUTE) RequestScope scope) {
            return pending.arrive(scope);
        }

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

        @Bean
        Pending pending() {
            return new Pending();
        }
    }
}
