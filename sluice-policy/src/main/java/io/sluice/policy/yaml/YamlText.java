package io.sluice.policy.yaml;

import io.sluice.policy.PolicyException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Decodes the text of a YAML file, and checks its length and its characters before it is parsed. */
public final class YamlText {
    /** The maximum number of code points of a file. */
    static final int MAX_CODE_POINTS = 4 << 20;

    /** A file with this number of bytes has too many code points, even if it begins with a byte order mark. */
    static final int MAX_BYTES = 4 * (MAX_CODE_POINTS + 2);

    private YamlText() {}

    /** Reads the bytes of a file. Of a file that is too long, it reads only as many bytes as prove that. */
    public static byte[] readBytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MAX_BYTES);
        }
    }

    /**
     * Decodes the result of {@link #readBytes}.
     *
     * @throws PolicyException if the bytes are not UTF-8
     */
    public static String decode(byte[] bytes, Problems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        // A file that is too long may end in the middle of a character.
        CoderResult result = decoder.decode(in, out, bytes.length < MAX_BYTES);
        out.flip();
        if (result.isError()) {
            throw problems.fatal(
                    SourcePosition.after(out),
                    String.format("byte 0x%02x at offset %d (expected: UTF-8)", bytes[in.position()], in.position()));
        }
        return out.toString();
    }

    /**
     * Removes a byte order mark, and checks the text.
     *
     * @throws PolicyException if the text is too long, or has characters that YAML does not allow
     */
    static String checked(String yaml, Problems problems) {
        String text = yaml.startsWith("\ufeff") ? yaml.substring(1) : yaml;
        int count = 0;
        for (int i = 0; i < text.length(); count++) {
            int c = text.codePointAt(i);
            if (count == MAX_CODE_POINTS) {
                throw problems.fatal(
                        SourcePosition.after(text.substring(0, i)),
                        "more than " + MAX_CODE_POINTS + " characters (expected: at most " + MAX_CODE_POINTS + ")");
            }
            if (!StreamReader.isPrintable(c)) {
                throw problems.fatal(
                        SourcePosition.after(text.substring(0, i)),
                        String.format(
                                "character U+%04X (expected: a printable character; double quotes allow an escape)",
                                c));
            }
            i += Character.charCount(c);
        }
        return text;
    }
}
