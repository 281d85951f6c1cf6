package io.sluice.benchmarks.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/*
 * The script is internal to Sluice, so it is taken from the network: Sluice sends the whole text to a server that does not
 * know it. The arguments contain bytes that a command line cannot pass, so they become a part of the script. Only the key is
 * left as an argument.
 */
/** The decision script of Sluice, called without Sluice. */
final class BareScript {
    private static final String KEY = "bare";

    private BareScript() {}

    /** Loads the script into a Redis and returns its digest. */
    static String load(Redis redis, Keys keys) {
        String script = standalone(withoutDeadline(intercepted()));
        String digest = redis.commands().scriptLoad(script);
        String key = keys.one();
        byte[] reply = redis.client()
                .connect(ByteArrayCodec.INSTANCE)
                .sync()
                .evalsha(digest, ScriptOutputType.VALUE, key.getBytes(ISO_8859_1));
        redis.commands().del(key);
        if (reply == null || reply.length == 0 || reply[0] != 0) {
            throw new IllegalStateException("the bare script does not decide (expected: a reply that begins with 0)");
        }
        return digest;
    }

    /** The words of the EVAL command for the first decision on a key; each char is one byte. */
    private static List<String> intercepted() {
        Queue<List<String>> commands = new ConcurrentLinkedQueue<>();
        try (RedisProcess empty = RedisProcess.start()) {
            RedisClient client = RedisClient.create(empty.uri());
            client.addListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    if (event.getCommand().getType() == CommandType.EVAL) {
                        ByteBuf bytes = Unpooled.buffer();
                        event.getCommand().getArgs().encode(bytes);
                        commands.add(words(bytes.toString(ISO_8859_1)));
                    }
                }
            });
            try (RedisStore store = RedisStore.of(client.connect())) {
                RateLimiter limiter = store.limiter("api", Limit.tokenBucket(Limits.PLENTY, Limits.PLENTY_PERIOD));
                limiter.check("warm-up");
                // The store loads the script before the first call. Without it, the next call has to send the text.
                flushScripts(client);
                limiter.check(KEY);
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        }
        return commands.stream()
                .filter(words -> words.size() > 2 && words.get(2).contains(KEY))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no script was sent to a Redis that knew none"));
    }

    private static void flushScripts(RedisClient client) {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().scriptFlush();
        }
    }

    /** Reads a command in RESP: for each word {@code $}, its length, a line end, the word, a line end. */
    static List<String> words(String sent) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < sent.length()) {
            int end = sent.indexOf("\r\n", at);
            int length = Integer.parseInt(sent.substring(at + 1, end));
            words.add(sent.substring(end + 2, end + 2 + length));
            at = end + 2 + length + 2;
        }
        return words;
    }

    /** The call without the time after which the script refuses to decide: bytes 2 to 8 of the first argument. */
    private static List<String> withoutDeadline(List<String> words) {
        List<String> timeless = new ArrayList<>(words);
        int first = 2 + Integer.parseInt(words.get(1));
        String head = words.get(first);
        timeless.set(first, head.substring(0, 2) + "\0".repeat(7) + head.substring(9));
        return timeless;
    }

    /** Puts the arguments into the script. The words are the script, the number of keys, the keys, the arguments. */
    static String standalone(List<String> words) {
        int keys = Integer.parseInt(words.get(1));
        String arguments = words.subList(2 + keys, words.size()).stream()
                .map(BareScript::literal)
                .collect(Collectors.joining(","));
        return "local ARGV={" + arguments + "}\n" + words.get(0);
    }

    private static String literal(String bytes) {
        return bytes.chars()
                .mapToObj(c -> String.format(Locale.ROOT, "\\%03d", c))
                .collect(Collectors.joining("", "'", "'"));
    }
}
