package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.RateLimitedException;
import io.sluice.TimeSource;
import io.sluice.policy.PolicyDecision;
import io.sluice.spring.RateLimited;
import io.sluice.spring.web.RequestScope;
import io.sluice.testkit.ManualTime;
import jakarta.servlet.Filter;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@Tag("slow")
class RateLimitedMvcTest {
    @RestController
    public static class Orders {
        @GetMapping("/limited")
        @RateLimited(limit = "1/min", key = "#user")
        public String limited(@RequestParam("user") String user) {
            return "hello " + user;
        }

        @GetMapping("/future")
        @RateLimited(limit = "blocked")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("hello");
        }

        @GetMapping("/request")
        @RateLimited("per-user")
        public String request() {
            return "hello";
        }
    }

    @RestController
    public static class Handled {
        @GetMapping("/handled")
        @RateLimited(limit = "blocked")
        public String handled() {
            return "hello";
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
        public String wrapped() {
            return answer(IllegalStateException::new);
        }

        @GetMapping("/conflict")
        public String conflict() {
            return answer(denial -> new ResponseStatusException(HttpStatus.CONFLICT, "conflict", denial));
        }

        private String answer(Function<RateLimitedException, RuntimeException> wrap) {
            try {
                return handled.handled();
            } catch (RateLimitedException denial) {
                throw wrap.apply(denial);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Handled.class, Wrapping.class})
    static class App {
        @Bean
        TimeSource time() {
            return new ManualTime();
        }

        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }

        /** In the place of the filter of Sluice. */
        @Bean
        Filter scope() {
            return (request, response, chain) -> {
                String user = request.getParameter("as");
                if (user != null) {
                    request.setAttribute(
                            RequestScope.ATTRIBUTE, new RequestScope(Map.of("user", user), PolicyDecision.of()));
                }
                chain.doFilter(request, response);
            };
        }
    }

    private static WebApp app;

    @BeforeAll
    static void start() {
        app = WebApp.start(App.class, WebApplicationType.SERVLET);
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
        assertThat(denied.body()).contains("\"status\":429").contains("RateLimitedMvcTest.Orders.limited");
        assertThat(get("/limited?user=bob").statusCode()).isEqualTo(200);
    }

    @Test
    void denial_ofAFuture_is429WithoutRetryAfter() throws Exception {
        HttpResponse<String> denied = get("/future");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).isEmpty();
        assertThat(denied.body()).contains("\"status\":429");
    }

    @Test
    void denial_withHandlerOfTheApplication_isLeftToIt() throws Exception {
        HttpResponse<String> handled = get("/handled");
        assertThat(handled.statusCode()).isEqualTo(200);
        assertThat(handled.body()).isEqualTo("handled RateLimitedMvcTest.Handled.handled");
    }

    @Test
    void denial_asTheCauseOfAnotherException_is429_unlessThatHasAStatus() throws Exception {
        HttpResponse<String> wrapped = get("/wrapped");
        assertThat(wrapped.statusCode()).isEqualTo(429);
        assertThat(wrapped.body()).contains("RateLimitedMvcTest.Handled.handled");
        assertThat(get("/conflict").statusCode()).isEqualTo(409);
    }

    @Test
    void policy_takesTheAttributesOfTheRequest() throws Exception {
        assertThat(get("/request?as=ada").statusCode()).isEqualTo(200);
        assertThat(get("/request?as=ada").statusCode()).isEqualTo(429);
        assertThat(get("/request?as=bob").statusCode()).isEqualTo(200);
        assertThat(get("/request").statusCode()).isEqualTo(200);
        assertThat(get("/request").statusCode()).isEqualTo(200);
    }
}
