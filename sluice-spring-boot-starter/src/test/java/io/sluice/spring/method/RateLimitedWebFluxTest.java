package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.RateLimitedException;
import io.sluice.TimeSource;
import io.sluice.policy.PolicyDecision;
import io.sluice.spring.RateLimited;
import io.sluice.spring.SluiceSettingsException;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.web.RequestScope;
import io.sluice.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@Tag("slow")
class RateLimitedWebFluxTest {
    @RestController
    public static class Orders {
        @GetMapping("/limited")
        @RateLimited(limit = "1/min", key = "#user")
        public Mono<String> limited(@RequestParam("user") String user) {
            return Mono.just("hello " + user);
        }

        @GetMapping("/flux")
        @RateLimited(limit = "blocked")
        public Flux<String> flux() {
            return Flux.just("hello");
        }

        @GetMapping("/sync")
        @RateLimited(limit = "blocked")
        public String sync() {
            return "hello";
        }

        @GetMapping("/request")
        @RateLimited("per-user")
        public Mono<String> request() {
            return Mono.just("hello");
        }
    }

    @RestController
    public static class Exchanges {
        @GetMapping("/exchange")
        @RateLimited("per-user")
        public String exchange(ServerWebExchange exchange) {
            return "hello";
        }

        @GetMapping("/future")
        @RateLimited("per-user")
        public CompletableFuture<String> future(ServerWebExchange exchange) {
            return CompletableFuture.completedFuture("hello");
        }
    }

    @RestController
    public static class Blind {
        @GetMapping("/blind")
        @RateLimited("per-user")
        public String blind() {
            return "hello";
        }
    }

    @RestController
    public static class Told {
        @GetMapping("/told")
        @RateLimited(policy = "per-user", key = "#user")
        public String told(@RequestParam("user") String user) {
            return "hello";
        }
    }

    @RestController
    public static class Handled {
        @GetMapping("/handled")
        @RateLimited(limit = "blocked")
        public Mono<String> handled() {
            return Mono.just("hello");
        }

        @ExceptionHandler
        public String denied(RateLimitedException denial) {
            return "handled " + denial.limiter();
        }
    }

    @RestController
    public static class Wrapping {
        private final Handled handled;

        Wrapping(Handled handled) {
            this.handled = handled;
        }

        @GetMapping("/wrapped")
        public Mono<String> wrapped() {
            return handled.handled().onErrorMap(IllegalStateException::new);
        }

        @GetMapping("/conflict")
        public Mono<String> conflict() {
            return handled.handled()
                    .onErrorMap(denial -> new ResponseStatusException(HttpStatus.CONFLICT, "conflict", denial));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Exchanges.class, Told.class, Handled.class, Wrapping.class})
    static class App {
        @Bean
        TimeSource time() {
            return new ManualTime();
        }

        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .build();
        }

        /** In the place of the filter of Sluice. */
        @Bean
        WebFilter scope() {
            return (exchange, chain) -> {
                String user = exchange.getRequest().getQueryParams().getFirst("as");
                if (user == null) {
                    return chain.filter(exchange);
                }
                RequestScope scope = new RequestScope(Map.of("user", user), PolicyDecision.of());
                exchange.getAttributes().put(RequestScope.ATTRIBUTE, scope);
                return chain.filter(exchange).contextWrite(values -> values.put(RequestScope.class, scope));
            };
        }
    }

    private static WebApp app;

    @BeforeAll
    static void start() {
        app = WebApp.start(App.class, WebApplicationType.REACTIVE);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return app.get(path);
    }

    @Test
    void denial_thatLeavesAController_is429() throws Exception {
        assertThat(get("/limited?user=ada").body()).isEqualTo("hello ada");
        HttpResponse<String> denied = get("/limited?user=ada");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(denied.body()).contains("\"status\":429").contains("RateLimitedWebFluxTest.Orders.limited");
        assertThat(get("/limited?user=bob").statusCode()).isEqualTo(200);
    }

    @Test
    void denial_ofFluxAndOfSyncMethod_is429() throws Exception {
        assertThat(get("/flux").statusCode()).isEqualTo(429);
        assertThat(get("/sync").statusCode()).isEqualTo(429);
    }

    @Test
    void denial_withHandlerOfTheApplication_isLeftToIt() throws Exception {
        HttpResponse<String> handled = get("/handled");
        assertThat(handled.statusCode()).isEqualTo(200);
        assertThat(handled.body()).isEqualTo("handled RateLimitedWebFluxTest.Handled.handled");
    }

    @Test
    void denial_asTheCauseOfAnotherException_is429_unlessThatHasAStatus() throws Exception {
        HttpResponse<String> wrapped = get("/wrapped");
        assertThat(wrapped.statusCode()).isEqualTo(429);
        assertThat(wrapped.body()).contains("RateLimitedWebFluxTest.Handled.handled");
        assertThat(get("/conflict").statusCode()).isEqualTo(409);
    }

    @Test
    void policy_takesTheAttributesOfTheRequest() throws Exception {
        assertThat(get("/request?as=ada").statusCode()).isEqualTo(200);
        assertThat(get("/request?as=ada").statusCode()).isEqualTo(429);
        assertThat(get("/request?as=bob").statusCode()).isEqualTo(200);
        assertThat(get("/request").statusCode()).isEqualTo(200);
    }

    @Test
    void policy_ofAMethodThatIsNotReactive_takesTheAttributesOfItsExchange() throws Exception {
        assertThat(get("/exchange?as=eve").statusCode()).isEqualTo(200);
        assertThat(get("/exchange?as=eve").statusCode()).isEqualTo(429);
        assertThat(get("/future?as=eve").statusCode()).isEqualTo(429);
        assertThat(get("/exchange?as=mallory").statusCode()).isEqualTo(200);
        assertThat(get("/told?user=mallory").statusCode()).isEqualTo(429);
    }

    /** On WebFlux no thread knows the request. A policy that needs it would silently never limit. */
    @Test
    void policy_thatNeedsARequestNobodyKnows_isRefusedAtTheStart() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceMethodAutoConfiguration.class))
                .withPropertyValues("sluice.store=memory")
                .withPropertyValues(MethodContexts.policy("per-user", "user", "1/min"))
                .withBean(Blind.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("Blind.blind()")
                        .hasMessageContaining("needs user of the HTTP request")
                        .hasMessageContaining("ServerWebExchange"));
    }
}
