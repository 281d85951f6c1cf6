package io.sluice.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.RequestCost;
import io.sluice.spring.Sluice;
import io.sluice.spring.web.Endings;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.spring.web.TestApplication;
import io.sluice.spring.web.WebFilterContract;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@Tag("slow")
class ServletFilterTest extends WebFilterContract {
    @Override
    protected TestApplication start(List<Class<?>> sources, String... properties) {
        List<Class<?>> all = new ArrayList<>(sources);
        all.add(Application.class);
        List<String> settings = new ArrayList<>(List.of(properties));
        settings.add("sluice.store=memory");
        return new TestApplication(WebApplicationType.SERVLET, all, settings);
    }

    @Test
    void scope_ofAsyncHandler_endsWithTheResponse() throws Exception {
        TestApplication app = afterSecurity();
        Endings endings = app.bean(Endings.class);
        assertThat(app.client().get("/callable").body()).isEqualTo("called");
        assertThat(endings.next().ending()).isEqualTo(Ending.COMPLETED);
        assertThat(app.client().get("/never").statusCode()).isEqualTo(503);
        assertThat(endings.next().ending()).isEqualTo(Ending.TIMED_OUT);
    }

    @Test
    void inFlight_asyncHandler_leavesWhenItAnswersOrTimesOut() throws Exception {
        TestApplication app = afterSecurity();
        Endings endings = app.bean(Endings.class);
        for (String path : List.of("/callable", "/never", "/callable")) {
            app.client().get(path, "X-Case", "in-flight", "X-Key", "async");
            endings.next();
            assertThat(free(app, "async")).as(path).isEqualTo(1);
        }
    }

    @Test
    void reserve_ofARequestThatTimesOut_isSettledByWhatItHasUsed() throws Exception {
        TestApplication app = afterSecurity();
        assertThat(app.client()
                        .get("/reserve-never", "X-Case", "tokens", "X-Key", "reserve-times-out")
                        .statusCode())
                .isEqualTo(503);
        assertThat(app.bean(Endings.class).next().ending()).isEqualTo(Ending.TIMED_OUT);
        assertThat(tokensLeft(app, "reserve-times-out")).isEqualTo("200 95");
    }

    /** Filters without support of asynchronous dispatches must not be skipped for a request that waits. */
    @Test
    void delayedRequest_passesEveryFilterOnce() throws Exception {
        TestApplication app = afterSecurity();
        String[] slow = {"X-Case", "slow", "X-Key", "every-filter"};
        app.client().get("/callable", slow);
        assertThat(app.bean(Endings.class).next().ending()).isEqualTo(Ending.COMPLETED);
        AtomicInteger passed = app.bean(AtomicInteger.class);
        int before = passed.get();
        int tasks = app.time().scheduled();
        CompletableFuture<HttpResponse<String>> delayed = app.client().getAsync("/callable", slow);
        app.time().awaitScheduled(tasks + 1);
        app.time().advance(Duration.ofSeconds(1));
        assertThat(delayed.get(1, TimeUnit.MINUTES).body()).isEqualTo("called");
        assertThat(passed.get() - before).isEqualTo(1);
        assertThat(app.bean(Endings.class).next().ending()).isEqualTo(Ending.COMPLETED);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Application {
        private final Endings endings;

        private final ObjectProvider<Sluice> sluice;

        private final ObjectProvider<PolicyEngine> engine;

        Application(Endings endings, ObjectProvider<Sluice> sluice, ObjectProvider<PolicyEngine> engine) {
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

        @GetMapping("/scope")
        String scope(HttpServletRequest request) {
            watch(request);
            if (request.getQueryString() != null) {
                throw new IllegalStateException("as the test wants");
            }
            return "scope";
        }

        @GetMapping("/charge")
        String charge(@RequestParam("n") long n) {
            return text(sluice.getObject().charge(n));
        }

        @GetMapping("/reserve")
        String reserve(
                HttpServletRequest request,
                @RequestParam("n") long n,
                @RequestParam("used") long used,
                @RequestParam(name = "fail", defaultValue = "false") boolean fail) {
            RequestCost cost = sluice.getObject().reserve(n);
            watch(request);
            cost.add(used);
            if (fail) {
                throw new IllegalStateException("as the test wants");
            }
            return left(
                    engine.getObject(),
                    Map.of("header.X-Case", request.getHeader("X-Case"), "header.X-Key", request.getHeader("X-Key")));
        }

        /** It never answers. */
        @GetMapping("/reserve-never")
        DeferredResult<String> reserveNever(HttpServletRequest request) {
            sluice.getObject().reserve(60).add(5);
            return never(request);
        }

        /** Each part costs 10. */
        @GetMapping("/stream")
        StreamingResponseBody stream(HttpServletRequest request) {
            RequestCost cost = sluice.getObject().cost();
            watch(request);
            boolean fails = request.getQueryString() != null;
            return out -> {
                for (byte part : new byte[] {'a', 'b', 'c'}) {
                    if (fails && part == 'c') {
                        throw new IllegalStateException("as the test wants");
                    }
                    cost.add(10);
                    out.write(part);
                }
            };
        }

        @GetMapping("/callable")
        Callable<String> callable(HttpServletRequest request) {
            watch(request);
            return () -> "called";
        }

        @GetMapping("/never")
        DeferredResult<String> never(HttpServletRequest request) {
            watch(request);
            return new DeferredResult<>(1L);
        }

        private void watch(HttpServletRequest request) {
            if (request.getAttribute(RequestScope.ATTRIBUTE) instanceof RequestScope scope) {
                endings.watch(scope);
            }
        }

        @Bean
        static AtomicInteger passed() {
            return new AtomicInteger();
        }

        @Bean
        static Filter plainFilter(AtomicInteger passed) {
            return (request, response, chain) -> {
                passed.incrementAndGet();
                chain.doFilter(request, response);
            };
        }

        @Bean
        static SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/secret")
                            .authenticated()
                            .anyRequest()
                            .permitAll())
                    .httpBasic(withDefaults())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }

        @Bean
        static InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(User.withUsername("ada")
                    .password("{noop}secret")
                    .roles("USER")
                    .build());
        }
    }
}
