package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.policy.PolicyDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.netty.Connection;

/** On which thread a request continues after its decision, and that no decision is lost. */
class ReactiveDecisionTest {
    private final CompletableFuture<PolicyDecision> decision = new CompletableFuture<>();
    private final List<PolicyDecision> received = new ArrayList<>();

    /** A request of Reactor Netty. Not a class of its own: the lines of Spring Boot have different constructors. */
    private static AbstractServerHttpRequest nettyRequest(Channel channel) {
        Connection connection = () -> channel;
        AbstractServerHttpRequest request = mock(AbstractServerHttpRequest.class);
        when(request.getNativeRequest()).thenReturn(connection);
        return request;
    }

    private static ServerWebExchange mockExchange() {
        return MockServerWebExchange.from(MockServerHttpRequest.get("/"));
    }

    /** As a filter of an application may have wrapped it. */
    private static ServerWebExchange onNetty(Channel channel) {
        ServerHttpRequestDecorator request = new ServerHttpRequestDecorator(nettyRequest(channel));
        return new ServerWebExchangeDecorator(mockExchange()) {
            @Override
            public ServerHttpRequestDecorator getRequest() {
                return request;
            }
        };
    }

    private Disposable subscribe(ServerWebExchange exchange) {
        return ReactiveDecision.of(exchange, () -> decision).subscribe(received::add);
    }

    /** Reactor logs errors that nobody receives, with a stack trace for each client that goes away. */
    @Test
    void decision_cancelledWhileItIsMade_leavesNoErrorBehind() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            EmbeddedChannel channel = new EmbeddedChannel();
            subscribe(onNetty(channel)).dispose();
            channel.runPendingTasks();
        } finally {
            Hooks.resetOnErrorDropped();
        }
        assertThat(decision).isCancelled();
        assertThat(dropped).isEmpty();
    }

    @Test
    void decision_thatIsThere_continuesAtOnce() {
        decision.complete(PolicyDecision.of());
        subscribe(onNetty(new EmbeddedChannel()));
        assertThat(received).hasSize(1);
    }

    @Test
    void decision_onReactorNetty_continuesOnTheEventLoopOfTheConnection() {
        EmbeddedChannel channel = new EmbeddedChannel();
        subscribe(onNetty(channel));
        decision.complete(PolicyDecision.of());
        assertThat(received).isEmpty();
        channel.runPendingTasks();
        assertThat(received).hasSize(1);
    }

    @Test
    void decision_onAnotherServer_continuesOnAThreadOfReactor() throws InterruptedException {
        AtomicReference<String> thread = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        ReactiveDecision.of(mockExchange(), () -> decision).subscribe(decided -> {
            thread.set(Thread.currentThread().getName());
            done.countDown();
        });
        decision.complete(PolicyDecision.of());
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(thread.get()).startsWith("parallel-");
    }

    @Test
    void eventLoop_thatRefuses_losesNoDecision() {
        ReactiveDecision.continued(decision, task -> {
                    throw new java.util.concurrent.RejectedExecutionException("shut down");
                })
                .subscribe(received::add);
        decision.complete(PolicyDecision.of());
        assertThat(received).hasSize(1);
    }

    @Test
    void failure_isThatOfTheDecision() {
        EmbeddedChannel channel = new EmbeddedChannel();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        ReactiveDecision.of(onNetty(channel), () -> decision.thenApply(decided -> decided))
                .subscribe(received::add, failure::set);
        decision.completeExceptionally(new IllegalStateException("closed"));
        channel.runPendingTasks();
        assertThat(failure.get())
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("closed");
    }

    /** The future of the engine gives the permits back when it is cancelled. */
    @Test
    void request_cancelledBeforeItsDecision_cancelsTheDecision() {
        subscribe(onNetty(new EmbeddedChannel())).dispose();
        assertThat(decision).isCancelled();
    }
}
