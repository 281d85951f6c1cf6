package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/*
 * A key may have half of a surrogate pair, if a program has cut a text. UTF-8 has no bytes for it, but the text that is read must be
 * the one that was written, or it names another key.
 */
/** A name or a key in an id that clients keep: I2 length and UTF-8, or if that is not possible, I2 length + 2^15 and UTF-16. */
final class IdText {
    private static final int UTF_16 = 1 << 15;

    private IdText() {}

    static void write(Bytes bytes, String text) {
        byte[] encoded;
        int flag = 0;
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            encoded = new byte[utf8.remaining()];
            utf8.get(encoded);
        } catch (CharacterCodingException e) {
            flag = UTF_16;
            ByteBuffer utf16 = ByteBuffer.allocate(2 * text.length());
            utf16.asCharBuffer().put(text);
            encoded = utf16.array();
        }
        if (encoded.length >= UTF_16) {
            throw new IllegalArgumentException("key: " + encoded.length + " bytes (expected: less than " + UTF_16
                    + ", for a key that is kept in an id)");
        }
        bytes.number(flag + encoded.length, 2).text(encoded);
    }

    static String read(Reply reply) throws CharacterCodingException {
        int length = (int) reply.number(2);
        if (length < UTF_16) {
            byte[] utf8 = reply.text(length);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        }
        return ByteBuffer.wrap(reply.text(length - UTF_16)).asCharBuffer().toString();
    }
}
