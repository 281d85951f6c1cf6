package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.SluiceProperties;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.client.ClientRequest;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls that are cancelled at the very moment at which their permit is taken. */
class CancelledCallTest {
    private static final URI PARTNER = URI.create("http://partner/orders");

    private final List<String> refunds = new ArrayList<>();

    /** A limiter of which only what clients use is there. */
    private RateLimiter limiter(CompletableFuture<Boolean> taken) {
        return (RateLimiter) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RateLimiter.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "tryAcquireAsync" -> taken;
                    case "refundAsync" -> {
                        refunds.add((String) arguments[0]);
                        yield CompletableFuture.completedFuture(null);
                    }
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    private LimitPacing pacing(CompletableFuture<Boolean> taken) {
        return new LimitPacing(limiter(taken), ClientKey.parse(null), Duration.ofSeconds(1));
    }

    @Test
    void permit_takenWhileTheWaitIsCancelled_isGivenBack() {
        CompletableFuture<Boolean> taken = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean interrupt) {
                complete(true);
                return false;
            }
        };
        CompletableFuture<Void> acquired =
                pacing(taken).acquire(new OutgoingRequest("GET", PARTNER, new HttpHeaders()));
        acquired.cancel(false);
        assertThat(refunds).containsExactly("partner");
    }

    /** Reactor logs errors that nobody receives, with a stack trace for each call that is cancelled. */
    @Test
    void webClient_cancelledWhileItWaits_leavesNoErrorBehind() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            SluiceProperties.Client settings = new SluiceProperties.Client(
                    null, "1/s", null, null, Duration.ofSeconds(1), true, Duration.ofSeconds(1));
            PacedClient client = new PacedClient(
                    "partner",
                    null,
                    pacing(new CompletableFuture<>()),
                    settings,
                    DecisionObserver.NONE,
                    TimeSource.system());
            new PacingFilter(client, Schedulers.immediate())
                    .filter(ClientRequest.create(HttpMethod.GET, PARTNER).build(), request -> Mono.never())
                    .subscribe()
                    .dispose();
        } finally {
            Hooks.resetOnErrorDropped();
        }
        assertThat(dropped).isEmpty();
    }

    @Test
    void webClient_cancelledBeforeTheRequestIsSent_givesThePermitBackAndSendsNothing() {
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        SluiceProperties.Client settings = new SluiceProperties.Client(
                null, "1/s", null, null, Duration.ofSeconds(1), true, Duration.ofSeconds(1));
        PacedClient client =
                new PacedClient("partner", null, pacing(taken), settings, DecisionObserver.NONE, TimeSource.system());
        Queue<Runnable> tasks = new ArrayDeque<>();
        List<ClientRequest> sent = new ArrayList<>();
        Disposable call = new PacingFilter(client, Schedulers.fromExecutor(tasks::add))
                .filter(ClientRequest.create(HttpMethod.GET, PARTNER).build(), request -> {
                    sent.add(request);
                    return Mono.never();
                })
                .subscribe();

        taken.complete(true);
        assertThat(sent).as("sent on the thread that took the permit").isEmpty();
        call.dispose();
        tasks.forEach(Runnable::run);

        assertThat(refunds).containsExactly("partner");
        assertThat(sent).isEmpty();
    }
}
