package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceSettingsException;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.testkit.ManualTime;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

class ClientsTest {
    private final PartnerApi api = new PartnerApi();
    private final ManualTime time = new ManualTime();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceClientAutoConfiguration.class))
            .withBean(ManualTime.class, () -> time)
            .withUserConfiguration(Builders.class)
            .withPropertyValues(
                    "sluice.clients.partner.url=" + api.url() + "/v1/**",
                    "sluice.clients.partner.limit=2 per 10s",
                    "sluice.clients.partner.max-wait=0s");

    /** As in Spring Boot. */
    @Configuration(proxyBeanMethods = false)
    static class Builders {
        @Bean
        @Scope("prototype")
        RestClient.Builder restClientBuilder() {
            return RestClient.builder();
        }

        @Bean
        @Scope("prototype")
        WebClient.Builder webClientBuilder() {
            return WebClient.builder();
        }
    }

    @AfterEach
    void close() {
        api.close();
    }

    private ResponseEntity<String> get(RestClient client, String path) {
        return client.get()
                .uri(api.url() + path)
                .retrieve()
                .onStatus(HttpStatusCode::isError, (request, response) -> {})
                .toEntity(String.class);
    }

    private int status(RestClient client, String path) {
        return get(client, path).getStatusCode().value();
    }

    private CompletableFuture<Integer> status(WebClient client, String path) {
        return client.get()
                .uri(api.url() + path)
                .exchangeToMono(response ->
                        response.releaseBody().thenReturn(response.statusCode().value()))
                .timeout(Duration.ofMinutes(1))
                .toFuture();
    }

    private static RestClient restClient(ApplicationContext context) {
        return context.getBean(RestClient.Builder.class).build();
    }

    private static WebClient webClient(ApplicationContext context) {
        return context.getBean(WebClient.Builder.class).build();
    }

    @Test
    void restClient_beyondTheLimit_failsWithoutACall() {
        runner.run(context -> {
            RestClient client = restClient(context);
            assertThat(status(client, "/v1/a")).isEqualTo(200);
            assertThat(status(client, "/v1/b")).isEqualTo(200);
            assertThatThrownBy(() -> status(client, "/v1/c")).isInstanceOfSatisfying(RateLimitedException.class, e -> {
                assertThat(e.limiter()).isEqualTo("client:partner");
                assertThat(e.key()).isEqualTo("127.0.0.1");
                assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(5));
            });
            assertThat(api.requests()).isEqualTo(2);
            assertThat(status(client, "/other")).isEqualTo(200);
        });
    }

    @Test
    void restClient_withinMaxWait_waitsForItsTurn() {
        runner.withPropertyValues("sluice.clients.partner.max-wait=10s").run(context -> {
            RestClient client = restClient(context);
            status(client, "/v1/a");
            status(client, "/v1/b");
            FutureTask<Integer> third = new FutureTask<>(() -> status(client, "/v1/c"));
            Thread thread = new Thread(third);
            thread.start();
            time.awaitScheduled(1);
            assertThat(api.requests()).isEqualTo(2);
            time.advance(Duration.ofSeconds(5));
            assertThat(third.get()).isEqualTo(200);
            assertThat(api.requests()).isEqualTo(3);
        });
    }

    @Test
    void restClient_interrupted_endsTheWaitAndGivesThePermitBack() {
        runner.withPropertyValues("sluice.clients.partner.max-wait=10s").run(context -> {
            RestClient client = restClient(context);
            status(client, "/v1/a");
            status(client, "/v1/b");
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    status(client, "/v1/c");
                } catch (ResourceAccessException e) {
                    failure.complete(e);
                }
            });
            thread.start();
            time.awaitScheduled(1);
            thread.interrupt();
            assertThat(failure.get()).hasCauseInstanceOf(InterruptedIOException.class);
            thread.join();
            time.advance(Duration.ofSeconds(5));
            assertThat(status(client, "/v1/d")).isEqualTo(200);
            assertThat(api.requests()).isEqualTo(3);
        });
    }

    @Test
    void webClient_withinMaxWait_waitsWithoutBlocking() {
        runner.withPropertyValues("sluice.clients.partner.max-wait=10s").run(context -> {
            WebClient client = webClient(context);
            assertThat(status(client, "/v1/a").get()).isEqualTo(200);
            assertThat(status(client, "/v1/b").get()).isEqualTo(200);
            CompletableFuture<Integer> cancelled = status(client, "/v1/c");
            CompletableFuture<Integer> third = status(client, "/v1/d");
            time.awaitScheduled(2);
            cancelled.cancel(true);
            // The permit of the cancelled call is given back, so the next one does not queue behind three.
            CompletableFuture<Integer> fourth = status(client, "/v1/e");
            assertThat(third).isNotDone();
            time.advance(Duration.ofSeconds(10));
            assertThat(third.get()).isEqualTo(200);
            assertThat(fourth.get()).isEqualTo(200);
            assertThat(api.requests()).isEqualTo(4);
        });
    }

    @Test
    void webClient_beyondTheLimit_failsWithoutACall() {
        runner.run(context -> {
            WebClient client = webClient(context);
            status(client, "/v1/a").get();
            status(client, "/v1/b").get();
            assertThat(status(client, "/v1/c"))
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(RateLimitedException.class);
            assertThat(api.requests()).isEqualTo(2);
        });
    }

    @Test
    void answer429_isPassedOn_andPausesAllClients() {
        runner.run(context -> {
            api.answers(429, Map.of("Retry-After", "60"));
            ResponseEntity<String> answer = get(restClient(context), "/v1/a");
            assertThat(answer.getStatusCode().value()).isEqualTo(429);
            assertThat(answer.getBody()).isEqualTo("from the API");
            assertThat(Objects.requireNonNull(answer.getHeaders().getFirst("Retry-After")))
                    .isEqualTo("60");
            assertThatThrownBy(() -> status(restClient(context), "/v1/b")).isInstanceOf(RateLimitedException.class);
            assertThat(status(webClient(context), "/v1/c")).isCompletedExceptionally();
            assertThat(api.requests()).isEqualTo(1);

            api.answers(200, Map.of());
            time.advance(Duration.ofSeconds(59));
            assertThatThrownBy(() -> status(restClient(context), "/v1/d")).isInstanceOf(RateLimitedException.class);
            time.advance(Duration.ofSeconds(1));
            assertThat(status(restClient(context), "/v1/e")).isEqualTo(200);
        });
    }

    @Test
    void webClient_answerWithNothingLeft_pausesAllClients() {
        runner.run(context -> {
            api.answers(200, Map.of("RateLimit", "\"minute\";r=0;t=60"));
            assertThat(status(webClient(context), "/v1/a").get()).isEqualTo(200);
            assertThatThrownBy(() -> status(restClient(context), "/v1/b"))
                    .isInstanceOfSatisfying(
                            RateLimitedException.class,
                            e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(60)));
        });
    }

    @Test
    void pause_longerThanMaxPause_isThat() {
        runner.withPropertyValues("sluice.clients.partner.max-pause=30s").run(context -> {
            api.answers(429, Map.of("Retry-After", "99999999999999999999"));
            status(restClient(context), "/v1/a");
            assertThatThrownBy(() -> status(restClient(context), "/v1/b"))
                    .isInstanceOfSatisfying(
                            RateLimitedException.class,
                            e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(30)));
        });
    }

    @Test
    void retryAfter_notHonoured_pausesNothing() {
        runner.withPropertyValues("sluice.clients.partner.honour-retry-after=false")
                .run(context -> {
                    api.answers(429, Map.of("Retry-After", "60"));
                    status(restClient(context), "/v1/a");
                    assertThat(status(restClient(context), "/v1/b")).isEqualTo(429);
                });
    }

    @Test
    void policy_pacesByItsKey_andBelongsToTheClient() {
        runner.withPropertyValues(
                        "sluice.policies[0].name=partner-path",
                        "sluice.policies[0].match.client=mail",
                        "sluice.policies[0].match.method=GET",
                        "sluice.policies[0].key[0]=host",
                        "sluice.policies[0].key[1]=path",
                        "sluice.policies[0].limit=1/h",
                        "sluice.clients.mail.policy=partner-path",
                        "sluice.clients.mail.max-pause=3h",
                        "sluice.clients.mail.max-wait=0s")
                .run(context -> {
                    assertThat(context.getBean(NamedPolicies.class).contains("partner-path"))
                            .isTrue();
                    RestClient client = RestClient.builder()
                            .requestInterceptor(
                                    context.getBean(SluiceClients.class).interceptor("mail"))
                            .build();
                    assertThat(status(client, "/a")).isEqualTo(200);
                    assertThat(status(client, "/b")).isEqualTo(200);
                    assertThatThrownBy(() -> status(client, "/a")).isInstanceOf(RateLimitedException.class);
                    api.answers(429, Map.of("Retry-After", "7200"));
                    assertThat(status(client, "/c")).isEqualTo(429);
                    time.advance(Duration.ofHours(1));
                    assertThatThrownBy(() -> status(client, "/c")).isInstanceOf(RateLimitedException.class);
                });
    }

    @Test
    void clientWithoutUrl_pacesWhatIsBuiltForIt_byTheKeyOfAHeader() {
        runner.withPropertyValues(
                        "sluice.clients.mail.limit=1/h",
                        "sluice.clients.mail.key=header.X-Account",
                        "sluice.clients.mail.max-wait=0s")
                .run(context -> {
                    WebClient ada = WebClient.builder()
                            .defaultHeader("X-Account", "ada")
                            .filter(context.getBean(SluiceWebClients.class).filter("mail"))
                            .build();
                    RestTemplate bob = new RestTemplate();
                    bob.getInterceptors().add((request, body, execution) -> {
                        request.getHeaders().set("X-Account", "bob");
                        return execution.execute(request, body);
                    });
                    bob.getInterceptors()
                            .add(context.getBean(SluiceClients.class).interceptor("mail"));
                    assertThat(status(ada, "/a").get()).isEqualTo(200);
                    assertThat(bob.getForObject(api.url() + "/a", String.class)).isEqualTo("from the API");
                    assertThat(status(ada, "/b")).isCompletedExceptionally();
                    assertThatThrownBy(() -> bob.getForObject(api.url() + "/b", String.class))
                            .isInstanceOf(RateLimitedException.class);
                    assertThat(status(restClient(context), "/free")).isEqualTo(200);
                });
    }

    @Test
    void unknownName_isRefusedWithTheKnownOnes() {
        runner.run(context -> assertThatThrownBy(
                        () -> context.getBean(SluiceClients.class).interceptor("partnr"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partnr")
                .hasMessageContaining("[partner]"));
    }

    @Test
    void settings_thatCannotWork_failAtStart() {
        refused("sluice.clients.partner.limit", "sluice.clients.partner.limit=often");
        refused("sluice.clients.partner.policy", "sluice.clients.partner.policy=some");
        refused("sluice.clients.partner.limit", "sluice.clients.partner.limit=concurrency 3");
        refused("sluice.clients.partner.url", "sluice.clients.partner.url=partner");
        refused("sluice.clients.mail.limit", "sluice.clients.mail.max-wait=1s");
        refused("sluice.clients.mail.policy", "sluice.clients.mail.policy=unknown");
        refused("sluice.clients.mail.key", "sluice.clients.mail.policy=unknown", "sluice.clients.mail.key=host");
    }

    private void refused(String setting, String... properties) {
        runner.withPropertyValues(properties)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining(setting)
                        .hasMessageContaining("expected"));
    }

    @Test
    void disabled_doesNotWait() {
        runner.withPropertyValues("sluice.enabled=false", "sluice.clients.partner.limit=blocked")
                .run(context -> {
                    assertThat(status(restClient(context), "/v1/a")).isEqualTo(200);
                    assertThat(context).hasSingleBean(SluiceClients.class).hasSingleBean(SluiceWebClients.class);
                });
    }

    @Test
    void withoutWebFlux_restClientIsPaced() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceClientAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.web.reactive", "reactor"))
                .run(context ->
                        assertThat(context).hasSingleBean(SluiceClients.class).doesNotHaveBean("sluiceWebClients"));
    }

    @Test
    void withoutSpringWeb_thereIsNothing() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceClientAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.web", "org.springframework.http"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("sluicePacedClients"));
    }
}
