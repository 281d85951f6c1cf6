package io.sluice.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import io.sluice.TimeSource;
import io.sluice.redis.call.Health;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.limits.Config;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Script;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells Redis twice a second that this process is alive. Learns how many processes are alive, and whether limits have changed. */
final class Heartbeat {
    private static final long INTERVAL_MICROS = 500_000;
    private static final byte[] ALIVE_MILLIS =
            Long.toString(LiveProcesses.ALIVE.toMillis()).getBytes(StandardCharsets.UTF_8);

    private final Connection connection;
    private final KeyNames names;
    private final Config config;
    private final Health health;
    private final Limiters limiters;
    private final Collection<RedisPublication> publications;
    private final long deadlineNanos;
    private final boolean virtual;
    private final LiveProcesses processes;
    private volatile boolean connected;
    private volatile long epoch = -1;
    private volatile boolean paused;
    private volatile CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private volatile Runnable cancel = () -> {};
    private final AtomicBoolean beating = new AtomicBoolean();

    /**
     * The heartbeat of one process.
     *
     * @param publications those of the store; others may be added later
     * @param processes gets the number of live processes
     */
    Heartbeat(
            Connection connection,
            KeyNames names,
            LimiterFactory factory,
            Limiters limiters,
            Collection<RedisPublication> publications,
            LiveProcesses processes) {
        this.connection = connection;
        this.names = names;
        this.config = factory.config();
        this.health = factory.services().health();
        this.virtual = factory.services().virtualTime() != null;
        this.deadlineNanos = factory.deadlineNanos();
        this.limiters = limiters;
        this.publications = publications;
        this.processes = processes;
    }

    void start() {
        if (!virtual) {
            beat();
        }
    }

    /** There is a new connection, so this process must soon learn what has changed. */
    void soon() {
        epoch = -1;
        config.doubt();
        if (connected) {
            processes.doubt();
        }
        connected = true;
        if (!virtual && !beating.get()) {
            cancel.run();
            cancel = TimeSource.system().schedule(1000, this::beat);
        }
    }

    private void later() {
        beating.set(false);
        if (!connection.isStopped() && !paused) {
            cancel = TimeSource.system().schedule(INTERVAL_MICROS, this::beat);
        }
    }

    private void beat() {
        if (connection.isStopped() || paused || !beating.compareAndSet(false, true)) {
            return;
        }
        connection.check();
        Link link = connection.link();
        if (link == null || !link.isOpen()) {
            later();
            return;
        }
        long sent = System.nanoTime();
        List<byte[]> keys = new ArrayList<>(List.of(names.config(), names.processes()));
        List<byte[]> values = new ArrayList<>(List.of(processes.id(), ALIVE_MILLIS));
        for (RedisPublication publication : publications) {
            if (publication.isFollowed()) {
                keys.add(publication.readyKey());
                values.add(Long.toString(publication.readyFor()).getBytes(StandardCharsets.UTF_8));
            }
        }
        last = link.list(Script.HEARTBEAT, keys, values)
                .orTimeout(2, TimeUnit.SECONDS)
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        connection.failed(link, failure);
                    } else if (System.nanoTime() - sent < deadlineNanos) {
                        // This also ends the degraded state if there are no calls.
                        health.answered();
                    }
                })
                .thenCompose(this::received)
                .whenComplete((unused, failure) -> later());
    }

    /** Stops until {@link #resume}, so that no limits are written again while keys are being deleted. */
    CompletableFuture<?> pause() {
        paused = true;
        cancel.run();
        return last.handle((unused, failure) -> true);
    }

    void resume() {
        paused = false;
        if (!virtual && !beating.get()) {
            later();
        }
    }

    private CompletableFuture<?> received(List<byte[]> answer) {
        long now = number(answer.get(1));
        boolean lost = now == 0 && !(limiters.isEmpty() && publications.isEmpty());
        if (lost) {
            processes.doubt();
        }
        processes.count((int) Math.max(1, number(answer.get(2))));
        boolean behind = lost || config.isBehind(new String(answer.get(3), StandardCharsets.UTF_8));
        config.enforcement().retryIfFailed();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        if (behind) {
            asked.add(config.agreeAll());
        }
        if (lost || now != epoch) {
            publications.forEach(publication -> asked.add(publication.check()));
        }
        // Only when all have succeeded; otherwise the next heartbeat tries again.
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .orTimeout(2, TimeUnit.SECONDS)
                .thenRun(() -> epoch = now);
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.UTF_8));
    }

    /** Removes this process from the list, so that others need not wait until it counts as dead. */
    void stop() {
        cancel.run();
        Link link = connection.link();
        if (link != null && link.isOpen() && !virtual) {
            link.run(
                            CommandType.ZREM,
                            new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                            Link.arguments().addKey(names.processes()).add(processes.id()))
                    .orTimeout(1, TimeUnit.SECONDS)
                    .exceptionally(failure -> null)
                    .join();
        }
    }
}
