package io.sluice.redis;

import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.sluice.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/*
 * Thousands of texts in one call would keep Redis, and the thread that talks to it, from everything else for as long as that takes.
 * So they travel in pieces, one after the other, between which others have their turn. Redis counts the changes of limits: pieces
 * that were read under one count are of one moment, and what is written comes into force by renaming, if nobody was faster.
 */
/** The texts of many limiters in the configuration, read and written as of one moment. */
final class ConfigFields {
    /** So many keep Redis busy for less than a millisecond. */
    static final int PIECE = 250;

    private static final byte[] COUNT = {'l', 'i', 'm', 'i', 't', 's'};
    private static final int MOST_TRIES = 10;

    private final RedisStore store;

    /**
     * What was read.
     *
     * @param count how often limits had changed; empty for never
     * @param texts one for each limiter; empty where there is none
     */
    record Found(String count, List<String> texts) {}

    /**
     * What was written.
     *
     * @param micros the moment
     * @param count how often limits have changed by then
     */
    record Written(String micros, String count) {}

    ConfigFields(RedisStore store) {
        this.store = store;
    }

    /** Reads the texts of limiters. */
    CompletableFuture<Found> read(List<String> limiters) {
        return read(limiters, MOST_TRIES);
    }

    private CompletableFuture<Found> read(List<String> limiters, int tries) {
        return read(limiters, new Found("", new ArrayList<>(limiters.size())), tries);
    }

    private CompletableFuture<Found> read(List<String> limiters, Found before, int tries) {
        Link link = store.link();
        if (link == null) {
            return CompletableFuture.failedFuture(Late.disconnected());
        }
        int from = before.texts.size();
        CommandArgs<byte[], byte[]> arguments =
                Link.arguments().addKey(store.names.config()).add(COUNT);
        limiters.subList(from, Math.min(limiters.size(), from + PIECE))
                .forEach(limiter -> arguments.add(KeyNames.field(limiter)));
        return link.run(CommandType.HMGET, Link.list(), arguments).thenCompose(piece -> {
            String count = decoded(piece.get(0));
            if (from > 0 && !count.equals(before.count) && tries > 0) {
                return read(limiters, tries - 1);
            }
            piece.subList(1, piece.size()).forEach(text -> before.texts.add(decoded(text)));
            Found found = new Found(count, before.texts);
            return found.texts.size() < limiters.size()
                    ? read(limiters, found, tries)
                    : CompletableFuture.completedFuture(found);
        });
    }

    /**
     * Writes texts, all at one moment.
     *
     * @param count what was read with what they replace
     * @param texts by limiter; an @ in them is replaced by the moment
     * @return nothing if others have changed limits since they were read: then nothing was written
     */
    CompletableFuture<Optional<Written>> write(String count, Map<String, String> texts) {
        byte[] staged = store.names.staged(UUID.randomUUID().toString());
        TimeSource virtual = store.virtualTime;
        String now = virtual == null ? "" : Long.toString(virtual.micros());
        return stage(count, now, true, staged, texts.entrySet().iterator());
    }

    private CompletableFuture<Optional<Written>> stage(
            String count, String now, boolean first, byte[] staged, Iterator<Map.Entry<String, String>> texts) {
        List<byte[]> values = new ArrayList<>(3 + 2 * PIECE);
        values.add(bytes(count));
        values.add(bytes(now));
        values.add(bytes(first ? "1" : "0"));
        for (int i = 0; i < PIECE && texts.hasNext(); i++) {
            Map.Entry<String, String> next = texts.next();
            values.add(KeyNames.field(next.getKey()));
            values.add(bytes(next.getValue()));
        }
        return call(Script.STAGE, staged, values).thenCompose(at -> {
            if (at.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            return texts.hasNext() ? stage(count, at, false, staged, texts) : commit(count, at, staged);
        });
    }

    private CompletableFuture<Optional<Written>> commit(String count, String at, byte[] staged) {
        List<byte[]> values = List.of(bytes(count), bytes(store.virtualTime == null ? "0" : "1"));
        return call(Script.COMMIT, staged, values)
                .thenApply(now -> now.equals("0") ? Optional.empty() : Optional.of(new Written(at, now)));
    }

    private CompletableFuture<String> call(Script script, byte[] staged, List<byte[]> values) {
        Link link = store.link();
        CompletableFuture<String> answer = new CompletableFuture<>();
        if (link == null) {
            answer.completeExceptionally(Late.disconnected());
            return answer;
        }
        link.call(script, List.of(store.names.config(), staged), values, (reply, failure) -> {
            if (failure == null) {
                answer.complete(decoded(reply));
            } else {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String decoded(byte @Nullable [] reply) {
        return reply == null ? "" : new String(reply, StandardCharsets.UTF_8);
    }
}
