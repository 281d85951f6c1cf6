package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * As with a reservation, whoever releases holds has to name their keys. So the text has them, and any process can release the
 * holds in one round trip. A client could change the text, but then it names holds that do not exist: nobody can guess an id.
 */
/** The text of the holds of one request. */
public final class HoldsText {
    private static final int VERSION = 2;
    private static final int MOST_BYTES = 32 * 1024;

    private HoldsText() {}

    /**
     * A hold as the text has it.
     *
     * @param calls whether the limiter is a call limiter
     * @param limiter the name of the limiter, short if it is no call limiter
     * @param id the number of the hold
     */
    public record Named(boolean calls, String limiter, String key, long id) {}

    static String of(List<Hold> holds) {
        Bytes bytes = new Bytes(64 * holds.size()).number(VERSION, 1).number(holds.size(), 2);
        for (Hold hold : holds) {
            bytes.number(hold.limiter().takesCallLimits() ? 1 : 0, 1);
            IdText.write(bytes, hold.limiter().idName());
            IdText.write(bytes, hold.key());
            bytes.number(hold.id(), 8);
        }
        return base64(bytes.toArray());
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if it does not name holds
     */
    public static List<Named> parse(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            Reply reply = new Reply(bytes);
            if (bytes.length > MOST_BYTES || reply.number(1) != VERSION) {
                throw malformed(null);
            }
            List<Named> holds = new ArrayList<>();
            for (long left = reply.number(2); left > 0; left--) {
                boolean calls = reply.number(1) == 1;
                String limiter = IdText.read(reply);
                String key = IdText.read(reply);
                holds.add(new Named(calls, limiter, key, reply.number(8)));
            }
            // Base64 ignores some bits of the last character.
            if (holds.isEmpty() || !reply.isAtEnd() || !base64(bytes).equals(text)) {
                throw malformed(null);
            }
            return holds;
        } catch (IndexOutOfBoundsException | IllegalArgumentException | CharacterCodingException e) {
            throw malformed(e);
        }
    }

    private static IllegalArgumentException malformed(@Nullable Exception cause) {
        return new IllegalArgumentException("holds: not the text of holds (expected: as the store returned it)", cause);
    }
}
