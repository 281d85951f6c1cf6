package io.sluice.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.springframework.security.config.Customizer.withDefaults;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.cost.ReactiveSluice;
import io.sluice.spring.web.Endings;
import io.sluice.spring.web.NettyServer;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.spring.web.TestApplication;
import io.sluice.spring.web.WebFilterContract;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@Tag("slow")
class WebFluxFilterTest extends WebFilterContract {
    @Override
    protected TestApplication start(List<Class<?>> sources, String... properties) {
        List<Class<?>> all = new ArrayList<>(sources);
        all.add(Application.class);
        List<String> settings = new ArrayList<>(List.of(properties));
        settings.add("sluice.store=memory");
        return new TestApplication(WebApplicationType.REACTIVE, all, settings);
    }

    private static MockServerWebExchange exchange(String kind, String key) {
        return MockServerWebExchange.from(
                MockServerHttpRequest.get("/hello").header("X-Case", kind).header("X-Key", key));
    }

    @Test
    void scope_ofCancelledRequest_ends() throws Exception {
        Endings endings = new Endings();
        Disposable request = afterSecurity()
                .bean(RateLimitWebFilter.class)
                .filter(exchange("two", "cancelled"), passed -> {
                    watch(passed, endings);
                    return Mono.never();
                })
                .subscribe();
        request.dispose();
        assertThat(endings.next().ending()).isEqualTo(Ending.CANCELLED);
    }

    @Test
    void scope_ofRequestThatTimesOut_ends() throws Exception {
        Endings endings = new Endings();
        afterSecurity()
                .bean(RateLimitWebFilter.class)
                .filter(exchange("two", "timeout"), passed -> {
                    watch(passed, endings);
                    return Mono.error(new TimeoutException("as the test wants"));
                })
                .subscribe(done -> {}, failure -> {});
        assertThat(endings.next().ending()).isEqualTo(Ending.TIMED_OUT);
    }

    @Test
    void inFlight_cancelledOrTimedOutRequest_leaves() {
        TestApplication app = afterSecurity();
        RateLimitWebFilter filter = app.bean(RateLimitWebFilter.class);
        Disposable request = filter.filter(exchange("in-flight", "cancel"), passed -> Mono.never())
                .subscribe();
        assertThat(free(app, "cancel")).isZero();
        request.dispose();
        assertThat(free(app, "cancel")).isEqualTo(1);

        filter.filter(exchange("in-flight", "cancel"), passed -> Mono.error(new TimeoutException("as the test wants")))
                .subscribe(done -> {}, failure -> {});
        assertThat(free(app, "cancel")).isEqualTo(1);

        filter.filter(exchange("in-flight", "cancel"), passed -> {
                    throw new IllegalStateException("as the test wants");
                })
                .subscribe(done -> {}, failure -> {});
        assertThat(free(app, "cancel")).isEqualTo(1);
    }

    /** Reactor Netty tells the application when the connection is closed. */
    @Test
    void inFlight_clientThatGoesAway_leaves() throws Exception {
        try (TestApplication app = start(
                List.of(Attributes.class, OnNetty.class),
                "sluice.policies[0].name=in-flight",
                "sluice.policies[0].key=header.X-Key",
                "sluice.policies[0].limit=concurrency 1 hold 30s")) {
            URI uri = app.client().uri("/never");
            try (Socket client = new Socket(uri.getHost(), uri.getPort())) {
                client.getOutputStream()
                        .write("GET /never HTTP/1.1\r\nHost: test\r\nX-Key: gone\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                app.bean(Application.class).asked.await();
                assertThat(free(app, "gone")).isZero();
            }
            assertThat(app.bean(Endings.class).next().ending()).isEqualTo(Ending.CANCELLED);
            assertThat(free(app, "gone")).isEqualTo(1);
        }
    }

    @Test
    void exchange_isChargedAtEachSubscription_andNotBefore() {
        for (TestApplication app : List.of(afterSecurity(), beforeSecurity())) {
            List<ServerWebExchange> passed = new ArrayList<>();
            RateLimitWebFilter filter = app.bean(RateLimitWebFilter.class);
            MockServerWebExchange exchange = exchange("two", "subscriptions");
            Mono<Void> twice = filter.filter(exchange, next -> {
                passed.add(next);
                return Mono.empty();
            });
            for (int i = 0; i < 3; i++) {
                filter.filter(exchange, next -> Mono.empty());
            }
            assertThat(passed).isEmpty();
            twice.block();
            twice.block();
            assertThat(passed).hasSize(2);
            twice.block();
            assertThat(passed).hasSize(2);
            assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
        }
    }

    @Test
    void delayedRequest_cancelled_leavesNoTimer() throws Exception {
        TestApplication app = afterSecurity();
        app.client().get("/hello", "X-Case", "slow", "X-Key", "no-timer");
        int tasks = app.time().scheduled();
        Disposable request = app.bean(RateLimitWebFilter.class)
                .filter(exchange("slow", "no-timer"), passed -> Mono.never())
                .subscribe();
        assertThat(app.time().scheduled()).isEqualTo(tasks + 1);
        request.dispose();
        assertThat(app.time().scheduled()).isEqualTo(tasks);
    }

    /** Nobody takes the turn of a client that has gone: the next request gets it. */
    @Test
    void delayedRequest_cancelled_givesItsTurnBack() {
        TestApplication app = afterSecurity();
        RateLimitWebFilter filter = app.bean(RateLimitWebFilter.class);
        filter.filter(exchange("slow", "turn"), passed -> Mono.never()).subscribe();
        MockServerWebExchange gone = exchange("slow", "turn");
        Disposable request = filter.filter(gone, passed -> Mono.never()).subscribe();
        assertThat(gone.getResponse().getHeaders().getFirst("RateLimit")).contains("\"slow\";r=8;");
        request.dispose();
        MockServerWebExchange next = exchange("slow", "turn");
        filter.filter(next, passed -> Mono.never()).subscribe().dispose();
        assertThat(next.getResponse().getHeaders().getFirst("RateLimit")).contains("\"slow\";r=8;");
    }

    @Test
    void cost_ofACancelledRequest_isWhatItHasUsed() throws Exception {
        TestApplication app = afterSecurity();
        ReactiveSluice sluice = app.bean(ReactiveSluice.class);
        Disposable request = app.bean(RateLimitWebFilter.class)
                .filter(
                        exchange("tokens", "cancelled-cost"),
                        passed -> sluice.cost().flatMap(cost -> {
                            cost.add(25);
                            return Mono.never();
                        }))
                .subscribe();
        assertThat(tokensLeft(app, "cancelled-cost")).isEqualTo("200 100");
        request.dispose();
        assertThat(tokensLeft(app, "cancelled-cost")).isEqualTo("200 75");
    }

    @Test
    void reserve_ofACancelledRequest_isSettledByWhatItHasUsed() throws Exception {
        TestApplication app = afterSecurity();
        ReactiveSluice sluice = app.bean(ReactiveSluice.class);
        Disposable request = app.bean(RateLimitWebFilter.class)
                .filter(
                        exchange("tokens", "cancelled-reserve"),
                        passed -> sluice.reserve(60).flatMap(cost -> {
                            cost.add(25);
                            return Mono.never();
                        }))
                .subscribe();
        assertThat(tokensLeft(app, "cancelled-reserve")).isEqualTo("200 40");
        request.dispose();
        assertThat(tokensLeft(app, "cancelled-reserve")).isEqualTo("200 75");
    }

    @Test
    void cost_outsideOfARequest_isRefused() {
        assertThat(catchThrowable(() ->
                        afterSecurity().bean(ReactiveSluice.class).charge(1).block()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no HTTP request");
    }

    private static void watch(ServerWebExchange exchange, Endings endings) {
        if (exchange.getAttribute(RequestScope.ATTRIBUTE) instanceof RequestScope scope) {
            endings.watch(scope);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(NettyServer.class)
    static class OnNetty {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Application {
        private final Endings endings;

        private final ObjectProvider<ReactiveSluice> sluice;
        private final CountDownLatch asked = new CountDownLatch(1);

        private final ObjectProvider<PolicyEngine> engine;

        Application(Endings endings, ObjectProvider<ReactiveSluice> sluice, ObjectProvider<PolicyEngine> engine) {
            this.endings = endings;
            this.engine = engine;
            this.sluice = sluice;
        }

        @GetMapping({"/hello", "/free"})
        String hello() {
            return "hello";
        }

        @GetMapping("/items/{id}")
        String item(@PathVariable("id") String id) {
            return id;
        }

        @GetMapping("/charge")
        Mono<String> charge(@RequestParam("n") long n) {
            return sluice.getObject().charge(n).map(WebFilterContract::text);
        }

        @GetMapping("/reserve")
        Mono<String> reserve(
                ServerWebExchange exchange,
                @RequestParam("n") long n,
                @RequestParam("used") long used,
                @RequestParam(name = "fail", defaultValue = "false") boolean fail) {
            return sluice.getObject().reserve(n).map(cost -> {
                watch(exchange, endings);
                cost.add(used);
                if (fail) {
                    throw new IllegalStateException("as the test wants");
                }
                HttpHeaders headers = exchange.getRequest().getHeaders();
                return left(
                        engine.getObject(),
                        Map.of(
                                "header.X-Case", String.valueOf(headers.getFirst("X-Case")),
                                "header.X-Key", String.valueOf(headers.getFirst("X-Key"))));
            });
        }

        /** Each part costs 10. */
        @GetMapping(path = "/stream", produces = "application/octet-stream")
        Flux<DataBuffer> stream(ServerWebExchange exchange) {
            boolean fails = exchange.getRequest().getURI().getQuery() != null;
            return sluice.getObject().cost().flatMapMany(cost -> {
                watch(exchange, endings);
                return Flux.just("a", "b", "c").map(part -> {
                    if (fails && part.equals("c")) {
                        throw new IllegalStateException("as the test wants");
                    }
                    cost.add(10);
                    return DefaultDataBufferFactory.sharedInstance.wrap(part.getBytes(StandardCharsets.UTF_8));
                });
            });
        }

        @GetMapping("/never")
        Mono<String> never(ServerWebExchange exchange) {
            watch(exchange, endings);
            asked.countDown();
            return Mono.never();
        }

        @GetMapping("/scope")
        Mono<String> scope(ServerWebExchange exchange) {
            watch(exchange, endings);
            return exchange.getRequest().getURI().getQuery() == null
                    ? Mono.just("scope")
                    : Mono.error(new IllegalStateException("as the test wants"));
        }

        @Bean
        static SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/secret")
                            .authenticated()
                            .anyExchange()
                            .permitAll())
                    .httpBasic(withDefaults())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }

        @Bean
        static MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(User.withUsername("ada")
                    .password("{noop}secret")
                    .roles("USER")
                    .build());
        }
    }
}
