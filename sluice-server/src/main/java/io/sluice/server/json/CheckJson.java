package io.sluice.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads checks such as {@code {"attributes":{"tenant":"acme"},"permits":1}}, from UTF-8. {@code attributes} must be there,
 * {@code permits} defaults to 1. Unknown fields, repeated fields and attribute values that are not strings are errors.
 * Thread-safe.
 */
public final class CheckJson {
    /** A short example of the format that {@link #timed} reads. */
    public static final String TIMED = CheckFormat.LINE.expected;

    /** The parts of Jackson's messages that are for programmers only. */
    private static final Pattern NOT_FOR_USERS = Pattern.compile(
            " \\([^(]*\\[Source:[^\\]]*\\]\\)|: enable `[^`]*` to allow| \\(not recognized as one since Feature [^)]*\\)");

    /** The size of the whole text is bounded already, so nothing in it needs a bound of its own. */
    private final JsonFactory factory = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final int maxAttributes;
    private final int maxBytes;

    /**
     * Creates a reader with bounds.
     *
     * @param maxAttributes the maximum number of attributes of a request
     * @param maxBytes the maximum number of bytes of the name of an attribute, and of its value, in UTF-8
     */
    public CheckJson(int maxAttributes, int maxBytes) {
        this.maxAttributes = maxAttributes;
        this.maxBytes = maxBytes;
    }

    /** Creates a reader without bounds. */
    public static CheckJson unbounded() {
        return new CheckJson(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Reads the body of {@code /v1/check}. */
    public CheckRequest check(byte[] body) throws JsonInputException {
        return read(body, 0, body.length, CheckFormat.BODY, parser -> {
            CheckRequest check = parser.check(CheckFormat.BODY);
            parser.requireEnd(CheckFormat.BODY);
            return check;
        });
    }

    /** Reads the body of {@code /v1/reserve}. */
    public ReserveRequest reserve(byte[] body) throws JsonInputException {
        return read(body, 0, body.length, CheckFormat.RESERVE, parser -> {
            ReserveRequest reserve = parser.reserve();
            parser.requireEnd(CheckFormat.RESERVE);
            return reserve;
        });
    }

    /** Reads the body of {@code /v1/settle}. */
    public SettleRequest settle(byte[] body) throws JsonInputException {
        return read(body, 0, body.length, CheckFormat.SETTLE, parser -> {
            SettleRequest settle = parser.settle();
            parser.requireEnd(CheckFormat.SETTLE);
            return settle;
        });
    }

    /** Reads the body of {@code /v1/release} and {@code /v1/renew}: the text that names what is held. */
    public String holds(byte[] body) throws JsonInputException {
        return read(body, 0, body.length, CheckFormat.HOLDS, parser -> {
            String holds = parser.holds();
            parser.requireEnd(CheckFormat.HOLDS);
            return holds;
        });
    }

    /**
     * Reads the body of {@code /v1/check:batch}: {@code {"checks":[...]}}.
     *
     * @param max the maximum number of requests
     */
    public List<CheckRequest> batch(byte[] body, int max) throws JsonInputException {
        return read(body, 0, body.length, CheckFormat.BATCH, parser -> {
            List<CheckRequest> checks = parser.batch(max);
            parser.requireEnd(CheckFormat.BATCH);
            return checks;
        });
    }

    /** Reads a line of a requests.jsonl file: {@code {"time_us":0,"attributes":{}}}. */
    public TimedCheckRequest timed(byte[] bytes, int from, int to) throws JsonInputException {
        return read(bytes, from, to, CheckFormat.LINE, parser -> {
            TimedCheckRequest check = parser.timed();
            parser.requireEnd(CheckFormat.LINE);
            return check;
        });
    }

    @FunctionalInterface
    private interface Read<T> {
        T of(CheckJsonParser parser) throws IOException, JsonInputException;
    }

    private <T> T read(byte[] bytes, int from, int to, CheckFormat format, Read<T> read) throws JsonInputException {
        int start = from;
        while (start < to && isSpace(bytes[start])) {
            start++;
        }
        if (start == to) {
            throw new JsonInputException(to, "nothing (expected: " + format.expected + ")");
        }
        // Jackson takes a zero byte as a sign of UTF-16.
        if (bytes[start] != '{' || (start + 1 < to && bytes[start + 1] == 0)) {
            throw new JsonInputException(
                    start,
                    "not a JSON object: " + DisplayText.quoted(Arrays.copyOfRange(bytes, start, to), to - start)
                            + " (expected: " + format.expected + ")");
        }
        int invalid = Utf8.firstInvalid(bytes, start, to);
        if (invalid >= 0) {
            throw new JsonInputException(
                    invalid, "byte " + Utf8.hex(bytes[invalid]) + " is not UTF-8 (expected: UTF-8 text)");
        }
        try (JsonParser json = factory.createParser(bytes, start, to - start)) {
            CheckJsonParser parser = new CheckJsonParser(json, start, maxAttributes, maxBytes);
            try {
                json.nextToken();
                return read.of(parser);
            } catch (JsonEOFException e) {
                throw new JsonInputException(to, format.truncated);
            } catch (JsonProcessingException e) {
                throw parser.error(e.getLocation(), "not JSON: " + problem(e));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("from memory", e);
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\n' || b == '\r';
    }

    static String problem(JsonProcessingException e) {
        String message =
                NOT_FOR_USERS.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }
}
