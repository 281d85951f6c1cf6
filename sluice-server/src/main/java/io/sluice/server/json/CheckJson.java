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
 * {@code permits} is 1 if not said; other fields, those that come twice, and values that are no texts are refused.
 * Thread-safe.
 */
public final class CheckJson {
    /** What {@link #timed} reads, in short. */
    public static final String TIMED = Form.LINE.expected;

    /** Where the thing began that is wrong now, and what a programmer could do about it. */
    private static final Pattern NOT_FOR_USERS = Pattern.compile(
            " \\([^(]*\\[Source:[^\\]]*\\]\\)|: enable `[^`]*` to allow| \\(not recognized as one since Feature [^)]*\\)");

    /** The text has an end already; within it, anything may be long. */
    private final JsonFactory factory = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final int mostAttributes;
    private final int mostBytes;

    /**
     * Reads checks up to a size.
     *
     * @param mostAttributes how many a check may have
     * @param mostBytes how many bytes of UTF-8 an attribute's name may have, and its value
     */
    public CheckJson(int mostAttributes, int mostBytes) {
        this.mostAttributes = mostAttributes;
        this.mostBytes = mostBytes;
    }

    /** Reads checks of any size. */
    public static CheckJson unbounded() {
        return new CheckJson(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** The one check in a body. */
    public Check check(byte[] body) throws Misfit {
        return read(body, 0, body.length, Form.BODY, fields -> {
            Check check = fields.check(Form.BODY);
            fields.requireEnd(Form.BODY);
            return check;
        });
    }

    /**
     * The checks in {@code {"checks":[...]}}.
     *
     * @param most how many there may be; the next is refused before it is read
     */
    public List<Check> batch(byte[] body, int most) throws Misfit {
        return read(body, 0, body.length, Form.BATCH, fields -> {
            List<Check> checks = fields.batch(most);
            fields.requireEnd(Form.BATCH);
            return checks;
        });
    }

    /** The check in a line, which also says when it was made: {@code {"time_us":0,"attributes":{}}}. */
    public TimedCheck timed(byte[] bytes, int from, int to) throws Misfit {
        return read(bytes, from, to, Form.LINE, fields -> {
            TimedCheck check = fields.timed();
            fields.requireEnd(Form.LINE);
            return check;
        });
    }

    @FunctionalInterface
    private interface Reading<T> {
        T of(CheckFields fields) throws IOException, Misfit;
    }

    private <T> T read(byte[] bytes, int from, int to, Form form, Reading<T> reading) throws Misfit {
        int start = from;
        while (start < to && isSpace(bytes[start])) {
            start++;
        }
        if (start == to) {
            throw new Misfit(to, "nothing (expected: " + form.expected + ")");
        }
        // The parser would take a zero byte for a sign of UTF-16.
        if (bytes[start] != '{' || (start + 1 < to && bytes[start + 1] == 0)) {
            throw new Misfit(
                    start,
                    "not a JSON object: " + Shown.quoted(Arrays.copyOfRange(bytes, start, to), to - start)
                            + " (expected: " + form.expected + ")");
        }
        int wrong = Utf8.firstWrong(bytes, start, to);
        if (wrong >= 0) {
            throw new Misfit(wrong, "byte " + Utf8.shown(bytes[wrong]) + " is not UTF-8 (expected: UTF-8 text)");
        }
        try (JsonParser json = factory.createParser(bytes, start, to - start)) {
            CheckFields fields = new CheckFields(json, start, mostAttributes, mostBytes);
            try {
                json.nextToken();
                return reading.of(fields);
            } catch (JsonEOFException e) {
                throw new Misfit(to, form.cut);
            } catch (JsonProcessingException e) {
                throw fields.misfit(e.getLocation(), "not JSON: " + problem(e));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("from memory", e);
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\n' || b == '\r';
    }

    private static String problem(JsonProcessingException e) {
        String message =
                NOT_FOR_USERS.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }
}
