package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.migrate.Answers.Model;
import io.sluice.spring.migrate.Answers.Part;
import io.sluice.spring.web.NettyServer;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.spring.web.TestApplication;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Flux;

/** Runs the streaming endpoint of the guide, over real connections. */
@Tag("slow")
class AnswersTest {
    private static final BlockingQueue<Ending> ENDS = new LinkedBlockingQueue<>();

    private static TestApplication app;
    private static volatile Flux<Part> parts = Flux.empty();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Answers.class, NettyServer.class})
    static class App {
        @Bean
        Model model() {
            // The end of the request, after its cost is charged. The parts may be cancelled before that.
            return () -> Flux.deferContextual(context -> {
                context.get(RequestScope.class).onEnd(end -> ENDS.add(end.ending()));
                return parts;
            });
        }

        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("ada@acme").password("{noop}secret").build(),
                    User.withUsername("bob@small").password("{noop}secret").build());
        }
    }

    @BeforeAll
    static void start() {
        app = new TestApplication(
                WebApplicationType.REACTIVE,
                List.of(App.class),
                List.of(Apps.config("costs.yaml"), "sluice.store=memory"));
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void tokens_areChargedWhenTheAnswerIsComplete() throws Exception {
        parts = Flux.just(new Part("one", 7000), new Part("two", 7000));
        assertThat(app.client().get("/answers", Apps.ADA).body()).contains("one", "two");
        HttpResponse<String> denied = app.client().get("/answers", Apps.ADA);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).contains("\"violated-policies\":[\"tokens\"]");
        app.time().advance(Duration.ofDays(1));
        assertThat(app.client().get("/answers", Apps.ADA).statusCode()).isEqualTo(200);
    }

    /** The client reads the first part and goes away. */
    @Test
    void tokens_ofAClientThatGoesAway_areCharged() throws Exception {
        parts = Flux.concat(Flux.just(new Part("one", 12_000)), Flux.never());
        ENDS.clear();
        HttpRequest request = HttpRequest.newBuilder(app.client().uri("/answers"))
                .headers(Apps.BOB)
                .build();
        HttpResponse<InputStream> streaming =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(streaming.body().read()).isPositive();
        streaming.body().close();
        assertThat(ENDS.poll(1, TimeUnit.MINUTES)).isIn(Ending.CANCELLED, Ending.FAILED);
        parts = Flux.empty();
        HttpResponse<String> next = app.client().get("/answers", Apps.BOB);
        assertThat(next.statusCode()).isEqualTo(429);
    }
}
