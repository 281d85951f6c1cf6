package io.sluice.server.rls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.sluice.server.rls.HealthWatches.Health;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many concurrent health watches. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HealthWatchesTest {
    private static final int MANY = 100;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger timers = new AtomicInteger();
    private final BlockingQueue<ServingStatus> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<Status.Code> ended = new LinkedBlockingQueue<>();
    private final Context.CancellableContext clients = Context.current().withCancellation();
    private volatile Health health = new Health(true, false);
    private HealthWatches watches;
    private ManagedChannel channel;

    @BeforeEach
    void open() {
        Supplier<Health> now = () -> health;
        watches = new HealthWatches(now);
        watches.start(countingTimers());
        GrpcHandler handler = new GrpcHandler(countingTimers());
        new HealthService(now, Set.of(""), watches).addTo(handler);
        int port = vertx.createHttpServer()
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .actualPort();
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        clients.run(() -> IntStream.range(0, MANY).forEach(i -> watch()));
        assertAllTold(ServingStatus.SERVING);
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private Vertx countingTimers() {
        return (Vertx) Proxy.newProxyInstance(
                Vertx.class.getClassLoader(), new Class<?>[] {Vertx.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setPeriodic")
                            || method.getName().equals("setTimer")) {
                        timers.incrementAndGet();
                    }
                    try {
                        return method.invoke(vertx, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void watch() {
        HealthGrpc.newStub(channel).watch(HealthCheckRequest.getDefaultInstance(), new StreamObserver<>() {
            @Override
            public void onNext(HealthCheckResponse response) {
                told.add(response.getStatus());
            }

            @Override
            public void onError(Throwable failure) {
                ended.add(Status.fromThrowable(failure).getCode());
            }

            @Override
            public void onCompleted() {
                ended.add(Status.Code.OK);
            }
        });
    }

    private void assertAllTold(ServingStatus status) {
        for (int i = 0; i < MANY; i++) {
            try {
                assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(status);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        assertThat(told).isEmpty();
    }

    @Test
    void manyWatches_shareOneTimer_andAllSeeAChange() {
        assertThat(watches.open()).isEqualTo(MANY);
        health = new Health(false, false);
        assertAllTold(ServingStatus.NOT_SERVING);
        health = new Health(true, false);
        assertAllTold(ServingStatus.SERVING);

        assertThat(timers).hasValue(1);
    }

    @Test
    void cancelledWatches_areRemoved() {
        clients.cancel(null);

        long start = System.nanoTime();
        while (watches.open() > 0) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
            Thread.onSpinWait();
        }
    }

    @Test
    void stoppingServer_endsAllWatches() throws InterruptedException {
        health = new Health(false, true);

        assertAllTold(ServingStatus.NOT_SERVING);
        for (int i = 0; i < MANY; i++) {
            assertThat(ended.poll(60, TimeUnit.SECONDS)).isEqualTo(Status.Code.UNAVAILABLE);
        }
    }
}
