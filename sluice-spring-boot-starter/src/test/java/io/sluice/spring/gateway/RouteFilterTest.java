package io.sluice.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.TimeSource;
import io.sluice.http.ClientAddress;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.SluiceSettingsException;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.WebDecisions;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class RouteFilterTest {
    private final ManualTime time = new ManualTime();
    private final PolicyEngine engine = PolicyEngine.builder()
            .store(MemoryStore.builder().time(time).build())
            .time(time)
            .policies(Policies.parse("""
                            version: 1
                            policies:
                            - name: smooth
                              limit: leaky-bucket 1/s capacity 2
                            - name: two-attributes
                              key: [tenant, user]
                              limit: 1/s
                            """, "test"))
            .build();
    private final NamedPolicies named = new NamedPolicies();
    private final SluiceProperties.Web web = new SluiceProperties.Web(
            true,
            SluiceProperties.Position.AFTER_SECURITY,
            List.of(),
            List.of(),
            ClientAddress.Header.EITHER,
            true,
            false,
            List.of());
    private final RouteFilter filter = new RouteFilter(
            new WebDecisions(engine, named, DecisionObserver.NONE, List.of(), web, TimeSource.system()),
            () -> PolicySelection.only("smooth"),
            true,
            time);

    @AfterEach
    void close() {
        engine.close();
    }

    private static MockServerWebExchange exchange() {
        return MockServerWebExchange.from(MockServerHttpRequest.get("/"));
    }

    @Test
    void delay_isWaitedWithoutAThread() throws Exception {
        AtomicInteger downstream = new AtomicInteger();
        Mono<Void> first = filter.filter(exchange(), exchange -> Mono.fromRunnable(downstream::incrementAndGet));
        first.toFuture().get();
        assertThat(downstream).hasValue(1);
        CompletableFuture<Void> second = filter.filter(
                        exchange(), exchange -> Mono.fromRunnable(downstream::incrementAndGet))
                .toFuture();
        assertThat(downstream).hasValue(1);
        assertThat(second).isNotDone();
        time.advance(Duration.ofSeconds(1));
        second.get();
        assertThat(downstream).hasValue(2);
    }

    @Test
    void delay_cancelled_givesTheTurnBack() {
        filter.filter(exchange(), exchange -> Mono.empty()).block();
        for (int i = 0; i < 3; i++) {
            MockServerWebExchange exchange = exchange();
            filter.filter(exchange, passed -> Mono.never()).subscribe().dispose();
            assertThat(exchange.getResponse().getHeaders().getFirst("RateLimit"))
                    .contains("\"smooth\";r=0;");
            assertThat(exchange.getResponse().getStatusCode()).isNull();
        }
    }

    /** As with the filter Retry of the gateway before this one. */
    @Test
    void requestThatIsTriedAgain_hasEachPolicyOnceInItsHeaders() {
        MockServerWebExchange exchange = exchange();
        filter.filter(exchange, passed -> Mono.empty()).block();
        filter.filter(exchange, passed -> Mono.never()).subscribe().dispose();
        assertThat(exchange.getResponse().getHeaders().getFirst("RateLimit"))
                .containsOnlyOnce("\"smooth\"")
                .contains("r=0;");
    }

    @Test
    void scope_endsOnCancelAndTimeout_andWhenItComesTooLate() {
        List<RequestScope.End> ends = new ArrayList<>();
        MockServerWebExchange cancelled = exchange();
        Disposable running = new ExchangeEnd()
                .filter(
                        cancelled,
                        first -> filter.filter(first, second -> {
                            RequestScope scope = second.getRequiredAttribute(RequestScope.ATTRIBUTE);
                            scope.onEnd(ends::add);
                            return Mono.never();
                        }))
                .subscribe();
        assertThat(ends).isEmpty();
        running.dispose();
        assertThat(ends).extracting(RequestScope.End::ending).containsExactly(RequestScope.Ending.CANCELLED);

        ExchangeScopes scopes = cancelled.getRequiredAttribute(ExchangeScopes.ATTRIBUTE);
        RequestScope scope = cancelled.getRequiredAttribute(RequestScope.ATTRIBUTE);
        RequestScope late = new RequestScope(scope.attributes(), scope.decision());
        late.onEnd(ends::add);
        scopes.add(late);
        assertThat(ends).hasSize(2);

        MockServerWebExchange slow = exchange();
        new ExchangeEnd()
                .filter(slow, exchange -> {
                    ExchangeScopes own = exchange.getRequiredAttribute(ExchangeScopes.ATTRIBUTE);
                    RequestScope timed = new RequestScope(scope.attributes(), scope.decision());
                    timed.onEnd(ends::add);
                    own.add(timed);
                    return Mono.error(new IllegalStateException(new TimeoutException()));
                })
                .onErrorComplete()
                .subscribe();
        assertThat(ends.get(2).ending()).isEqualTo(RequestScope.Ending.TIMED_OUT);
    }

    @Test
    void policies_thatDoNotFit_areRefused() {
        RoutePolicies policies = new RoutePolicies(engine, named);
        assertThatThrownBy(() -> policies.require("here", "smoth"))
                .isInstanceOf(SluiceSettingsException.class)
                .hasMessageContaining("here: there is no policy \"smoth\"");
        assertThatThrownBy(() -> RoutePolicies.keyAttribute("here", policies.require("here", "two-attributes")))
                .isInstanceOf(SluiceSettingsException.class)
                .hasMessageContaining("[tenant, user]");
        assertThatThrownBy(() -> RoutePolicies.keyAttribute("here", policies.require("here", "smooth")))
                .isInstanceOf(SluiceSettingsException.class);
        assertThat(named.contains("smooth")).isTrue();
    }

    @Test
    void policy_thatIsRemoved_noLongerLimits() {
        RoutePolicies policies = new RoutePolicies(engine, named);
        assertThat(policies.requireOnce("here", "smooth")).isNotNull();
        engine.replace(new Policies(List.of(), List.of(), List.of()));
        assertThat(policies.requireOnce("here", "smooth")).isNull();
        assertThatThrownBy(() -> policies.requireOnce("here", "never-there"))
                .isInstanceOf(SluiceSettingsException.class);
    }
}
