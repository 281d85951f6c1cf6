package io.sluice.cli;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line with a request, while it is read. */
final class RequestLine {
    private static final long MOST = (1L << 53) - 1;

    private final JsonParser json;
    private final byte[] bytes;
    private final int from;
    private final int start;

    /**
     * A line within these bytes.
     *
     * @param from where the line begins
     * @param start where the parser began
     */
    RequestLine(JsonParser json, byte[] bytes, int from, int start) {
        this.json = json;
        this.bytes = bytes;
        this.from = from;
        this.start = start;
    }

    Request request() throws IOException, RequestParser.Misfit {
        long time = -1;
        long permits = -1;
        Map<String, String> attributes = null;
        json.nextToken();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            switch (name) {
                case "time_us" -> {
                    requireNew(time < 0);
                    time = number(name);
                }
                case "permits" -> {
                    requireNew(permits < 0);
                    permits = number(name);
                }
                case "attributes" -> {
                    requireNew(attributes == null);
                    attributes = attributes();
                }
                default ->
                    throw here("unknown field " + Shown.quoted(name) + " (expected: time_us, attributes, permits)");
            }
        }
        if (time < 0) {
            throw here("no time_us (expected: " + RequestParser.EXPECTED + ")");
        } else if (attributes == null) {
            throw here("no attributes (expected: " + RequestParser.EXPECTED + ", with {} for none)");
        }
        if (json.nextToken() != null) {
            throw here("more after the request (expected: the end of the line)");
        }
        return new Request(time, attributes, permits < 0 ? 1 : permits);
    }

    private void requireNew(boolean isNew) throws IOException, RequestParser.Misfit {
        if (!isNew) {
            throw here(json.currentName() + " a second time (expected: once)");
        }
    }

    private Map<String, String> attributes() throws IOException, RequestParser.Misfit {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw here("attributes is " + shown() + " (expected: an object such as {\"tenant\":\"acme\"})");
        }
        Map<String, String> attributes = new HashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (attributes.containsKey(name)) {
                throw here("attribute " + Shown.quoted(name) + " a second time (expected: once)");
            }
            String value = json.nextTextValue();
            if (value == null) {
                throw here("attribute " + Shown.quoted(name) + " is " + shown() + " (expected: " + expected() + ")");
            }
            attributes.put(name, value);
        }
        return attributes;
    }

    private String expected() throws IOException {
        return switch (json.currentToken()) {
            case VALUE_NULL -> "a text, or no such attribute";
            case START_OBJECT, START_ARRAY -> "a text";
            default -> "a text, as in \"" + Shown.shortened(json.getText(), 60) + "\"";
        };
    }

    private long number(String name) throws IOException, RequestParser.Misfit {
        if (json.nextToken() != JsonToken.VALUE_NUMBER_INT) {
            throw notNumber(name);
        }
        char[] digits = json.getTextCharacters();
        int first = json.getTextOffset();
        long value = 0;
        for (int i = first; i < first + json.getTextLength(); i++) {
            value = 10 * value + (digits[i] - '0');
            if (digits[i] == '-' || value > MOST) {
                throw notNumber(name);
            }
        }
        return value;
    }

    private RequestParser.Misfit notNumber(String name) throws IOException {
        return here(name + " is " + shown() + " (expected: a whole number from 0 to " + MOST + ")");
    }

    private String shown() throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> Shown.quoted(json.getText());
            default -> Shown.shortened(json.getText(), 60);
        };
    }

    private RequestParser.Misfit here(String message) {
        return misfit(json.currentTokenLocation(), message);
    }

    RequestParser.Misfit misfit(@Nullable JsonLocation place, String message) {
        int at = place == null ? start : start + (int) Math.max(0, place.getByteOffset());
        return new RequestParser.Misfit(Utf8.characters(bytes, from, Math.min(at, bytes.length)) + 1, message);
    }
}
