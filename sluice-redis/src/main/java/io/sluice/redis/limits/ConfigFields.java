package io.sluice.redis.limits;

import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.connect.NoAnswerException;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Script;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/*
 * Thousands of texts in one call would keep Redis, and the thread that talks to it, from everything else for as long as that takes.
 * So they travel in pieces, one after the other, between which others have their turn. Redis counts the changes of limits: pieces
 * that were read under one count are of one moment, and what is written comes into force by renaming, if nobody was faster.
 */
/** The texts of many limiters in the configuration, read and written as of one moment. */
public final class ConfigFields {
    /** So many keep Redis busy for less than a millisecond. */
    public static final int PIECE = 250;

    private static final byte[] COUNT = {'l', 'i', 'm', 'i', 't', 's'};
    private static final int MOST_TRIES = 10;

    private final Connection connection;
    private final KeyNames names;
    private final @Nullable TimeSource virtualTime;
    private final Executor worker;

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

    /** @param worker where what takes time is done */
    ConfigFields(Connection connection, KeyNames names, @Nullable TimeSource virtualTime, Executor worker) {
        this.connection = connection;
        this.names = names;
        this.virtualTime = virtualTime;
        this.worker = worker;
    }

    /** Reads the texts of limiters. */
    CompletableFuture<Found> read(List<String> limiters) {
        return read(limiters, MOST_TRIES);
    }

    private CompletableFuture<Found> read(List<String> limiters, int tries) {
        return read(limiters, new Found("", new ArrayList<>(limiters.size())), tries);
    }

    private CompletableFuture<Found> read(List<String> limiters, Found before, int tries) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        int from = before.texts.size();
        CommandArgs<byte[], byte[]> arguments =
                Link.arguments().addKey(names.config()).add(COUNT);
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
        byte[] staged = names.staged(UUID.randomUUID().toString());
        CompletableFuture<List<byte[]>> known =
                run(CommandType.HKEYS, Link.arguments().addKey(names.config()));
        return now().thenCombineAsync(
                        known,
                        (now, fields) -> stage(count, staged, all(fields, texts, now))
                                .thenCompose(done -> done ? commit(count, now, staged) : none()),
                        worker)
                .thenCompose(written -> written);
    }

    /** By field, what the configuration is to say; empty for what stays as it is. */
    private static Iterator<Map.Entry<String, String>> all(List<byte[]> fields, Map<String, String> texts, String now) {
        Map<String, String> all = new LinkedHashMap<>();
        for (byte[] field : fields) {
            if (field[0] == ':') {
                all.put(decoded(field), "");
            }
        }
        texts.forEach((limiter, text) -> all.put(decoded(KeyNames.field(limiter)), HistoryText.since(text, now)));
        return all.entrySet().iterator();
    }

    private static CompletableFuture<Optional<Written>> none() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** The time, in microseconds. */
    private CompletableFuture<String> now() {
        TimeSource virtual = virtualTime;
        if (virtual != null) {
            return CompletableFuture.completedFuture(Long.toString(virtual.micros()));
        }
        return run(CommandType.TIME, Link.arguments())
                .thenApply(time -> Long.toString(
                        Long.parseLong(decoded(time.get(0))) * 1_000_000 + Long.parseLong(decoded(time.get(1)))));
    }

    private CompletableFuture<List<byte[]>> run(CommandType command, CommandArgs<byte[], byte[]> arguments) {
        Link link = connection.link();
        return link == null
                ? CompletableFuture.failedFuture(NoAnswerException.notConnected())
                : link.run(command, Link.list(), arguments);
    }

    /**
     * Gets everything ready.
     *
     * @param texts by field; empty for one that stays as it is
     * @return whether nobody else has changed anything meanwhile
     */
    private CompletableFuture<Boolean> stage(String count, byte[] staged, Iterator<Map.Entry<String, String>> texts) {
        List<byte[]> stay = new ArrayList<>();
        List<byte[]> change = new ArrayList<>();
        for (int i = 0; i < PIECE && texts.hasNext(); i++) {
            Map.Entry<String, String> next = texts.next();
            if (next.getValue().isEmpty()) {
                stay.add(bytes(next.getKey()));
            } else {
                change.add(bytes(next.getKey()));
                change.add(bytes(next.getValue()));
            }
        }
        List<byte[]> values = new ArrayList<>(2 + stay.size() + change.size());
        values.add(bytes(count));
        values.add(bytes(Integer.toString(stay.size())));
        values.addAll(stay);
        values.addAll(change);
        return call(Script.STAGE, List.of(names.config(), staged), values)
                .thenCompose(done -> done.equals("1") && texts.hasNext()
                        ? stage(count, staged, texts)
                        : CompletableFuture.completedFuture(done.equals("1")));
    }

    private CompletableFuture<Optional<Written>> commit(String count, String now, byte[] staged) {
        byte[] deleted = names.staged(UUID.randomUUID().toString());
        List<byte[]> values = List.of(bytes(count), bytes(virtualTime == null ? "0" : "1"));
        return call(Script.COMMIT, List.of(names.config(), staged, deleted), values)
                .thenApply(done -> done.equals("0") ? Optional.empty() : Optional.of(new Written(now, done)));
    }

    private CompletableFuture<String> call(Script script, List<byte[]> keys, List<byte[]> values) {
        Link link = connection.link();
        CompletableFuture<String> answer = new CompletableFuture<>();
        if (link == null) {
            answer.completeExceptionally(NoAnswerException.notConnected());
            return answer;
        }
        link.call(script, keys, values, (reply, failure) -> {
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
