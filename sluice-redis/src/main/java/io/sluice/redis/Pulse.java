package io.sluice.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import io.sluice.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Twice a second tells Redis that this process lives, and hears how many do and whether limits have changed. */
final class Pulse {
    private static final long INTERVAL_MICROS = 500_000;
    private static final Duration ALIVE = Duration.ofSeconds(3);
    private static final byte[] ALIVE_MILLIS = Long.toString(ALIVE.toMillis()).getBytes(StandardCharsets.UTF_8);

    private final RedisStore store;
    private final byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    private volatile int processes = 1;
    private volatile long doubtUntil = System.nanoTime();
    private volatile boolean connected;
    private volatile long epoch = -1;
    private volatile boolean paused;
    private volatile CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private volatile Runnable cancel = () -> {};
    private final AtomicBoolean beating = new AtomicBoolean();

    Pulse(RedisStore store) {
        this.store = store;
    }

    int processes() {
        return processes;
    }

    void start() {
        if (store.virtualTime == null) {
            beat();
        }
    }

    /** Redis is back: what was missed should be heard soon. */
    void soon() {
        epoch = -1;
        store.config.doubt();
        if (connected) {
            doubt();
        }
        connected = true;
        if (store.virtualTime == null && !beating.get()) {
            cancel.run();
            cancel = TimeSource.system().schedule(1000, this::beat);
        }
    }

    private void later() {
        beating.set(false);
        if (!store.isClosed() && !paused) {
            cancel = TimeSource.system().schedule(INTERVAL_MICROS, this::beat);
        }
    }

    private void beat() {
        if (store.isClosed() || paused || !beating.compareAndSet(false, true)) {
            return;
        }
        store.connection.check();
        Link link = store.link();
        if (link == null || !link.isOpen()) {
            later();
            return;
        }
        long sent = System.nanoTime();
        List<byte[]> keys = new ArrayList<>(List.of(store.names.config(), store.names.processes()));
        List<byte[]> values = new ArrayList<>(List.of(id, ALIVE_MILLIS));
        for (RedisPublication publication : store.publications()) {
            if (publication.isFollowed()) {
                keys.add(publication.readyKey());
                values.add(Long.toString(publication.readyFor()).getBytes(StandardCharsets.UTF_8));
            }
        }
        last = link.list(Script.PULSE, keys, values)
                .orTimeout(2, TimeUnit.SECONDS)
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        store.connection.failed(link, failure);
                    } else if (System.nanoTime() - sent < store.deadlineNanos) {
                        // Also where nobody asks: who was answered without Redis may have been the last for a while.
                        store.health.answered();
                    }
                })
                .thenCompose(this::heard)
                .whenComplete((unused, failure) -> later());
    }

    /** Beats no more until {@link #resume}: so nothing is brought again that is being deleted. */
    CompletableFuture<?> pause() {
        paused = true;
        cancel.run();
        return last.handle((unused, failure) -> true);
    }

    void resume() {
        paused = false;
        if (store.virtualTime == null && !beating.get()) {
            later();
        }
    }

    private CompletableFuture<?> heard(List<byte[]> answer) {
        long now = number(answer.get(1));
        boolean lost = now == 0
                && !(store.limiters.all().isEmpty() && store.publications().isEmpty());
        if (lost) {
            doubt();
        }
        count((int) Math.max(1, number(answer.get(2))));
        boolean behind = lost || store.config.isBehind(new String(answer.get(3), StandardCharsets.UTF_8));
        store.limiters.retryWhatFailed();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        if (behind) {
            asked.add(store.config.agreeAll());
        }
        if (lost || now != epoch) {
            store.publications().forEach(publication -> asked.add(publication.check()));
        }
        // Only when all have heard of it: who could not is told again.
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .orTimeout(2, TimeUnit.SECONDS)
                .thenRun(() -> epoch = now);
    }

    /** The process, as Redis knows it. */
    byte[] id() {
        return id;
    }

    /** After Redis has forgotten who lives, fewer are believed only when all had the time to say so again. */
    private void count(int heard) {
        if (heard >= processes || System.nanoTime() - doubtUntil >= 0) {
            processes = heard;
        }
    }

    private void doubt() {
        doubtUntil = System.nanoTime() + ALIVE.toNanos();
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.UTF_8));
    }

    /** The others need not wait until this process is taken for dead. */
    void stop() {
        cancel.run();
        Link link = store.link();
        if (link != null && link.isOpen() && store.virtualTime == null) {
            link.run(
                            CommandType.ZREM,
                            new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                            Link.arguments().addKey(store.names.processes()).add(id))
                    .orTimeout(1, TimeUnit.SECONDS)
                    .exceptionally(failure -> null)
                    .join();
        }
    }
}
