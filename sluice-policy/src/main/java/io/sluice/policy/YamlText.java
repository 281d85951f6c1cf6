package io.sluice.policy;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** The characters of a YAML file: what can be refused before anything is read. */
final class YamlText {
    /** The most code points of a file. */
    static final int MOST = 4 << 20;

    /** A file that has so many bytes has too many code points, even after a byte order mark. */
    static final int MOST_BYTES = 4 * (MOST + 2);

    private YamlText() {}

    /**
     * The bytes as text.
     *
     * @param whole whether the file ends here; if not, a character may be cut off at the end
     * @throws PolicyException if they are no UTF-8
     */
    static String decode(byte[] bytes, boolean whole, Problems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, whole);
        out.flip();
        if (result.isError()) {
            throw problems.fatal(
                    Place.after(out),
                    String.format("byte 0x%02x at offset %d (expected: UTF-8)", bytes[in.position()], in.position()));
        }
        return out.toString();
    }

    /**
     * The text without a byte order mark.
     *
     * @throws PolicyException if it is too long, or has characters that YAML does not allow
     */
    static String checked(String yaml, Problems problems) {
        String text = yaml.startsWith("\ufeff") ? yaml.substring(1) : yaml;
        int count = 0;
        for (int i = 0; i < text.length(); count++) {
            int c = text.codePointAt(i);
            if (count == MOST) {
                throw problems.fatal(
                        Place.after(text.substring(0, i)),
                        "more than " + MOST + " characters (expected: at most as many)");
            }
            if (!StreamReader.isPrintable(c)) {
                throw problems.fatal(
                        Place.after(text.substring(0, i)),
                        String.format("character U+%04X (expected: printable ones; quoted text can escape it)", c));
            }
            i += Character.charCount(c);
        }
        return text;
    }
}
