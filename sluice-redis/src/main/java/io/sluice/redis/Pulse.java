package io.sluice.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import io.sluice.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Twice a second tells Redis that this process lives, and hears how many do and whether limits have changed. */
final class Pulse {
    private static final long INTERVAL_MICROS = 500_000;
    private static final byte[] ALIVE_MILLIS = "3000".getBytes(StandardCharsets.UTF_8);

    private final RedisStore store;
    private final byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    private volatile int processes = 1;
    private volatile long epoch = -1;
    private volatile Runnable cancel = () -> {};
    private volatile boolean beating;

    Pulse(RedisStore store) {
        this.store = store;
    }

    int processes() {
        return processes;
    }

    void start() {
        if (store.virtualTime() == null) {
            beat();
        }
    }

    /** Redis is back: what was missed should be heard soon. */
    void soon() {
        epoch = -1;
        if (store.virtualTime() == null && !beating) {
            cancel.run();
            cancel = TimeSource.system().schedule(1000, this::beat);
        }
    }

    private void later() {
        beating = false;
        if (!store.isClosed()) {
            cancel = TimeSource.system().schedule(INTERVAL_MICROS, this::beat);
        }
    }

    private void beat() {
        if (store.isClosed()) {
            return;
        }
        store.connection().check();
        Link link = store.link();
        if (link == null || !link.isOpen()) {
            later();
            return;
        }
        beating = true;
        link.list(Script.PULSE, List.of(store.names().config(), store.names().processes()), List.of(id, ALIVE_MILLIS))
                .orTimeout(2, java.util.concurrent.TimeUnit.SECONDS)
                .whenComplete((answer, failure) -> {
                    try {
                        heard(answer);
                    } finally {
                        later();
                    }
                });
    }

    private void heard(@Nullable List<byte[]> answer) {
        if (answer == null) {
            return;
        }
        processes = (int) Math.max(1, number(answer.get(2)));
        long now = number(answer.get(1));
        if (now != epoch || store.limiters().stream().anyMatch(limiter -> !limiter.isAgreed())) {
            store.limiters().forEach(store.config()::agree);
            epoch = now;
        }
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.UTF_8));
    }

    /** The others need not wait until this process is taken for dead. */
    void stop() {
        cancel.run();
        Link link = store.link();
        if (link != null && link.isOpen() && store.virtualTime() == null) {
            link.run(
                            CommandType.ZREM,
                            new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                            Link.arguments().addKey(store.names().processes()).add(id))
                    .orTimeout(1, java.util.concurrent.TimeUnit.SECONDS)
                    .exceptionally(failure -> null)
                    .join();
        }
    }
}
