package io.sluice.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.protocol.CommandType;
import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.limits.Config;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Script;
import io.sluice.spi.Edition;
import io.sluice.spi.EditionConflictException;
import io.sluice.spi.Publication;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * A publication is a hash in Redis; see publish.lua. The heartbeat notices that something has changed, and listeners get the
 * new edition. If Redis has lost an edition, every process that still knows it writes it again.
 */
/** A publication of a {@link RedisStore}: a text that all processes share. */
final class RedisPublication implements Publication {
    /** The maximum wait for other processes, which learn of an edition by their heartbeat. */
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private static final long ASK_MICROS = 20_000;
    private static final byte[] CURRENT = {'c', 'u', 'r', 'r', 'e', 'n', 't'};

    private final Connection connection;
    private final KeyNames names;
    private final Config config;
    private final @Nullable TimeSource virtualTime;
    private final byte[] processId;
    private final String name;
    private final List<Consumer<Edition>> listeners = new ArrayList<>();
    private @Nullable Edition newest;
    private long readyFor;

    /** The latest edition that this process has published. */
    private long published;

    /** @param processId the id of this process in Redis */
    RedisPublication(
            Connection connection,
            KeyNames names,
            Config config,
            @Nullable TimeSource virtualTime,
            byte[] processId,
            String name) {
        this.connection = connection;
        this.names = names;
        this.config = config;
        this.virtualTime = virtualTime;
        this.processId = processId;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<Optional<Edition>> latest() {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(unavailable());
        }
        return link.run(
                        CommandType.HGET,
                        Link.bytes(),
                        Link.arguments().addKey(key()).add(CURRENT))
                .thenApply(found -> {
                    Optional<Edition> edition = found == null ? Optional.empty() : Optional.of(parse(found));
                    edition.ifPresent(this::heard);
                    return edition;
                });
    }

    @Override
    public CompletionStage<List<Edition>> history() {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(unavailable());
        }
        return link.run(
                        CommandType.HGETALL,
                        new MapOutput<>(ByteArrayCodec.INSTANCE),
                        Link.arguments().addKey(key()))
                .thenApply(fields -> fields.values().stream()
                        .map(RedisPublication::parse)
                        .distinct()
                        .sorted(Comparator.comparingLong(Edition::number).reversed())
                        .toList());
    }

    @Override
    public CompletionStage<Edition> publish(String text, long after) {
        Objects.requireNonNull(text, "text");
        return write(bytes(text), bytes(Long.toString(after)), bytes(time()), bytes(REMEMBERED))
                .thenCompose(latest -> {
                    if (latest == null
                            || latest.number() != after + 1
                            || !latest.text().equals(text)) {
                        return CompletableFuture.failedFuture(
                                new EditionConflictException(name, after, latest == null ? 0 : latest.number()));
                    }
                    synchronized (this) {
                        published = latest.number();
                    }
                    heard(latest);
                    return CompletableFuture.completedFuture(latest);
                });
    }

    /** Reads the latest edition. Writes the known edition again if Redis has lost it. */
    CompletableFuture<?> check() {
        return latest().toCompletableFuture().thenCompose(found -> {
            Edition known = newest();
            if (known == null || (found.isPresent() && found.get().number() >= known.number())) {
                return CompletableFuture.completedFuture(null);
            }
            return write(
                    bytes(known.text()),
                    bytes("0"),
                    bytes(time()),
                    bytes(REMEMBERED),
                    bytes(known.number()),
                    bytes(known.micros()));
        });
    }

    private CompletableFuture<@Nullable Edition> write(byte[]... values) {
        Link link = connection.link();
        CompletableFuture<@Nullable Edition> answer = new CompletableFuture<>();
        if (link == null) {
            answer.completeExceptionally(unavailable());
            return answer;
        }
        link.call(Script.PUBLISH, List.of(names.config(), key()), List.of(values), (reply, failure) -> {
            if (failure == null) {
                answer.complete(reply == null || reply.length == 0 ? null : parse(reply));
            } else {
                answer.completeExceptionally(
                        new RedisUnavailableException("publish \"" + name + "\": " + failure, failure));
            }
        });
        return answer;
    }

    @Override
    public CompletionStage<?> ready(long edition) {
        CompletableFuture<@Nullable Void> all = new CompletableFuture<>();
        synchronized (this) {
            readyFor = Math.max(readyFor, edition);
        }
        if (virtualTime == null && isFollowed()) {
            askWhoIsReady(edition, System.nanoTime() + PATIENCE_NANOS, all);
        } else {
            all.complete(null);
        }
        return all;
    }

    /** Asks again until all processes are ready, the wait is over, or there is a newer edition. */
    private void askWhoIsReady(long edition, long until, CompletableFuture<@Nullable Void> all) {
        Edition latest = newest();
        Link link = connection.link();
        if (link == null || System.nanoTime() - until >= 0 || (latest != null && latest.number() > edition)) {
            all.complete(null);
            return;
        }
        List<byte[]> keys = List.of(readyKey(), names.processes(), names.config());
        link.call(Script.READY, keys, List.of(processId, bytes(edition)), (reply, failure) -> {
            if (failure != null || (reply != null && reply.length > 0 && isMyTurn(edition, reply))) {
                all.complete(null);
            } else {
                TimeSource.system().schedule(ASK_MICROS, () -> askWhoIsReady(edition, until, all));
            }
        });
    }

    /** The process that has published an edition puts its limits in force first, and the others follow: at the same time, they would conflict. */
    private synchronized boolean isMyTurn(long edition, byte[] limitsChanged) {
        return published == edition || !new String(limitsChanged, StandardCharsets.UTF_8).equals(config.agreedCount());
    }

    synchronized boolean isFollowed() {
        return !listeners.isEmpty();
    }

    /** The latest edition for which this process is ready. */
    synchronized long readyFor() {
        return readyFor;
    }

    byte[] readyKey() {
        return names.ready(name);
    }

    /** Removes this process from those that must be ready. */
    private void leave() {
        Link link = connection.link();
        if (link != null && link.isOpen() && !connection.isStopped()) {
            link.run(
                    CommandType.HDEL,
                    new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                    Link.arguments().addKey(readyKey()).add(processId));
        }
    }

    @Override
    public Runnable follow(Consumer<Edition> listener) {
        synchronized (this) {
            listeners.add(listener);
            if (newest != null) {
                listener.accept(newest);
            }
        }
        check();
        return () -> {
            boolean last;
            synchronized (this) {
                last = listeners.remove(listener) && listeners.isEmpty();
            }
            if (last) {
                leave();
            }
        };
    }

    /** Calls the listeners under the lock: they get one edition after the other, and never an older one. */
    private synchronized void heard(Edition edition) {
        if (newest == null || edition.number() > newest.number()) {
            newest = edition;
            List.copyOf(listeners).forEach(listener -> listener.accept(edition));
        }
    }

    private synchronized @Nullable Edition newest() {
        return newest;
    }

    private byte[] key() {
        return names.publication(name);
    }

    private String time() {
        TimeSource virtual = virtualTime;
        return virtual == null ? "" : Long.toString(virtual.micros());
    }

    private RedisUnavailableException unavailable() {
        return new RedisUnavailableException("publication \"" + name + "\": Redis is away", null);
    }

    private static Edition parse(byte[] bytes) {
        String found = new String(bytes, StandardCharsets.UTF_8);
        int first = found.indexOf('\n');
        int second = found.indexOf('\n', first + 1);
        return new Edition(
                Long.parseLong(found.substring(0, first)),
                Long.parseLong(found.substring(first + 1, second)),
                found.substring(second + 1));
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
