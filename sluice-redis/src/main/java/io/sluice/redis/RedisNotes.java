package io.sluice.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.protocol.CommandType;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Script;
import io.sluice.spi.SharedNotes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The notes of a {@link RedisStore}: each page is a hash that expires. */
final class RedisNotes implements SharedNotes {
    private final Connection connection;
    private final KeyNames names;
    private final String name;

    RedisNotes(Connection connection, KeyNames names, String name) {
        this.connection = connection;
        this.names = names;
        this.name = name;
    }

    @Override
    public CompletionStage<?> put(String page, Map<String, String> notes, Duration life) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        Link link = connection.link();
        if (link == null) {
            answer.completeExceptionally(unavailable(null));
            return answer;
        }
        List<byte[]> values = new ArrayList<>();
        values.add(bytes(Long.toString(life.toMillis())));
        notes.forEach((each, text) -> {
            values.add(bytes(each));
            values.add(bytes(text));
        });
        link.call(Script.NOTES, List.of(names.notes(name, page)), values, (reply, failure) -> {
            if (failure == null) {
                answer.complete(null);
            } else {
                answer.completeExceptionally(unavailable(failure));
            }
        });
        return answer;
    }

    @Override
    public CompletionStage<Map<String, String>> read(String page) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(unavailable(null));
        }
        return link.run(
                        CommandType.HGETALL,
                        new MapOutput<>(ByteArrayCodec.INSTANCE),
                        Link.arguments().addKey(names.notes(name, page)))
                .thenApply(fields -> {
                    Map<String, String> notes = new HashMap<>();
                    fields.forEach((each, text) -> notes.put(text(each), text(text)));
                    return notes;
                });
    }

    private RedisUnavailableException unavailable(@Nullable Throwable cause) {
        return new RedisUnavailableException(
                "notes \"" + name + "\": " + (cause == null ? "Redis is away" : cause), cause);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
