package io.sluice.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.sluice.RateLimitedException;
import io.sluice.TimeSource;
import io.sluice.spring.RateLimited;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.client.PartnerApi;
import io.sluice.spring.client.SluiceClientAutoConfiguration;
import io.sluice.spring.client.SluiceClients;
import io.sluice.spring.client.SluiceWebClients;
import io.sluice.spring.method.SluiceMethodAutoConfiguration;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Everything that decides is observed, and only with values of which there are few. */
class ObservedSurfacesTest {
    private final PartnerApi api = new PartnerApi();
    private final ManualTime time = new ManualTime();
    private final List<String> stopped = new CopyOnWriteArrayList<>();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SluiceObservationAutoConfiguration.class,
                    SluiceAutoConfiguration.class,
                    SluiceMethodAutoConfiguration.class,
                    SluiceClientAutoConfiguration.class))
            .withBean(TimeSource.class, () -> time)
            .withBean(ObservationRegistry.class, this::registry)
            .withBean(Orders.class)
            .withPropertyValues(
                    "sluice.policies[0].name=per-user",
                    "sluice.policies[0].key=user",
                    "sluice.policies[0].limit=1/h",
                    "sluice.policies[1].name=partner",
                    "sluice.policies[1].key=host",
                    "sluice.policies[1].limit=1/h",
                    "sluice.clients.by-limit.limit=1/h",
                    "sluice.clients.by-limit.max-wait=0s",
                    "sluice.clients.by-policy.policy=partner",
                    "sluice.clients.by-policy.max-wait=0s");

    static class Orders {
        @RateLimited(limit = "1/h", key = "#user")
        public void limited(String user) {}

        @RateLimited(limit = "1/h", key = "#user")
        public CompletableFuture<String> limitedStage(String user) {
            return CompletableFuture.completedFuture(user);
        }

        @RateLimited(limit = "1/h", key = "#user", maxWait = "1s")
        public void waiting(String user) {}

        @RateLimited(policy = "per-user", key = "#user", maxWait = "1s")
        public void waitingForPolicy(String user) {}
    }

    private ObservationRegistry registry() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                assertThat(context.getHighCardinalityKeyValues()).isEmpty();
                assertThat(context.getError()).isNull();
                stopped.add(context.getLowCardinalityKeyValues().stream()
                        .collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue))
                        .entrySet()
                        .stream()
                        .map(Object::toString)
                        .collect(Collectors.toCollection(TreeSet::new))
                        .toString());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        return registry;
    }

    @AfterEach
    void close() {
        api.close();
    }

    /** What is observed of a call that is allowed, and of the same call that is denied after it. */
    private void assertObserved(String surface, String policy, Runnable call) {
        stopped.clear();
        call.run();
        assertThatThrownBy(call::run)
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(RateLimitedException.class),
                        failure -> assertThat(failure).hasCauseInstanceOf(RateLimitedException.class));
        assertThat(stopped)
                .containsExactly(
                        "[outcome=allowed, policy=none, surface=" + surface + "]",
                        "[outcome=denied, policy=" + policy + ", surface=" + surface + "]");
    }

    @Test
    void methods_areObserved() {
        runner.run(context -> {
            Orders orders = context.getBean(Orders.class);
            String name = "ObservedSurfacesTest.Orders.";
            assertObserved("method", name + "limited", () -> orders.limited("ada"));
            assertObserved(
                    "method",
                    name + "limitedStage",
                    () -> orders.limitedStage("ada").join());
            assertObserved("method", name + "waiting", () -> orders.waiting("ada"));
            assertObserved("method", "per-user", () -> orders.waitingForPolicy("ada"));
        });
    }

    @Test
    void clients_areObserved() {
        runner.run(context -> {
            assertObserved("client", "client:by-limit", () -> rest(context, "by-limit"));
            assertObserved("client", "partner", () -> rest(context, "by-policy"));
            time.advance(Duration.ofHours(1));
            assertObserved("client", "client:by-limit", () -> web(context, "by-limit"));
            assertObserved("client", "partner", () -> web(context, "by-policy"));
        });
    }

    private void rest(ApplicationContext context, String client) {
        RestClient.builder()
                .requestInterceptor(context.getBean(SluiceClients.class).interceptor(client))
                .build()
                .get()
                .uri(api.url())
                .retrieve()
                .toBodilessEntity();
    }

    private void web(ApplicationContext context, String client) {
        WebClient.builder()
                .filter(context.getBean(SluiceWebClients.class).filter(client))
                .build()
                .get()
                .uri(api.url())
                .retrieve()
                .toBodilessEntity()
                .block(Duration.ofMinutes(1));
    }

    @Test
    void wait_cancelled_isObservedWithoutAnOutcome() {
        ObservedDecisions observer = new ObservedDecisions(registry(), null);
        CompletableFuture<Void> wait = new CompletableFuture<>();
        assertThat(observer.observeWait("client", () -> wait, taken -> null)).isSameAs(wait);
        assertThat(stopped).isEmpty();
        wait.completeExceptionally(new CompletionException(new CancellationException()));
        assertThat(stopped).containsExactly("[outcome=none, policy=none, surface=client]");
    }
}
