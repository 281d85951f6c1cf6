package io.sluice.spring.cost;

import io.sluice.policy.PolicyDecision;
import io.sluice.spring.RequestCost;
import io.sluice.spring.web.ReactiveDecision;
import io.sluice.spring.web.RequestScope;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * {@link io.sluice.spring.Sluice} for WebFlux: the request is that of the Reactor context. A bean.
 *
 * <pre>{@code
 * @PostMapping(path = "/answers", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
 * Flux<String> answer(@RequestBody Mono<Question> question) {
 *     return sluice.cost().flatMapMany(cost -> model.stream(question).doOnNext(part -> cost.add(part.tokens())));
 * }
 * }</pre>
 *
 * <p>A Mono fails with {@link IllegalStateException} if its context is not that of a request.
 */
public final class ReactiveSluice {
    private final @Nullable RequestCosts costs;

    /** @param costs null if nothing is charged, because Sluice is not enabled */
    ReactiveSluice(@Nullable RequestCosts costs) {
        this.costs = costs;
    }

    /** See {@link io.sluice.spring.Sluice#charge}. Each subscription charges. */
    public Mono<PolicyDecision> charge(long permits) {
        return inRequest(
                (all, scope) -> ReactiveDecision.of(() -> all.chargeAsync(scope, permits)), PolicyDecision::of);
    }

    /** See {@link io.sluice.spring.Sluice#cost}. Each subscription has a cost of its own. */
    public Mono<RequestCost> cost() {
        return inRequest((all, scope) -> Mono.just(all.cost(scope)), NoCost::new);
    }

    /** See {@link io.sluice.spring.Sluice#reserve}. Each subscription reserves. The Mono fails if the estimate is denied. */
    public Mono<RequestCost> reserve(long estimate) {
        return inRequest((all, scope) -> ReactiveDecision.of(() -> all.reserveAsync(scope, estimate)), NoCost::new);
    }

    private <T> Mono<T> inRequest(BiFunction<RequestCosts, RequestScope, Mono<T>> call, Supplier<T> disabled) {
        RequestCosts all = costs;
        if (all == null) {
            return Mono.fromSupplier(disabled);
        }
        return Mono.deferContextual(context -> {
            RequestScope scope = context.getOrDefault(RequestScope.class, null);
            return scope == null
                    ? Mono.error(new IllegalStateException(
                            "the Reactor context has no HTTP request (expected: a chain that answers a request)"))
                    : call.apply(all, scope);
        });
    }
}
