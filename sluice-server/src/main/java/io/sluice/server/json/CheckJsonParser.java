package io.sluice.server.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.policy.PolicyReservation;
import io.sluice.policy.ReservationTtl;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the fields of requests in one JSON text. */
final class CheckJsonParser {
    private static final long MAX_NUMBER = (1L << 53) - 1;

    private final JsonParser json;
    private final int start;
    private final int maxAttributes;
    private final int maxBytes;

    /** The index of the current request in a batch; -1 outside of a batch. */
    private int index = -1;

    private long time = -1;
    private @Nullable Duration ttl;
    private @Nullable Map<String, Double> signals;

    /** @param start the offset of the parser's first byte */
    CheckJsonParser(JsonParser json, int start, int maxAttributes, int maxBytes) {
        this.json = json;
        this.start = start;
        this.maxAttributes = maxAttributes;
        this.maxBytes = maxBytes;
    }

    TimedCheckRequest timed() throws IOException, JsonInputException {
        CheckRequest check = check(CheckFormat.LINE);
        return new TimedCheckRequest(time, check, signals == null ? Map.of() : signals);
    }

    /** Reads a request whose opening brace was read. */
    CheckRequest check(CheckFormat format) throws IOException, JsonInputException {
        long permits = -1;
        Map<String, String> attributes = null;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (name.equals("attributes")) {
                requireFirst(attributes == null);
                attributes = attributes();
            } else if (name.equals("permits")) {
                requireFirst(permits < 0);
                permits = number(name);
            } else if (format == CheckFormat.LINE && name.equals("time_us")) {
                requireFirst(time < 0);
                time = number(name);
            } else if (format == CheckFormat.LINE && name.equals("signals")) {
                requireFirst(signals == null);
                signals = signals();
            } else if (format == CheckFormat.RESERVE && name.equals("ttl")) {
                requireFirst(ttl == null);
                ttl = ttl();
            } else {
                throw unknown(name, format);
            }
        }
        if (format == CheckFormat.LINE && time < 0) {
            throw errorHere("no time_us (expected: " + format.expected + ")");
        } else if (attributes == null) {
            throw errorHere("no attributes (expected: " + format.expected + ", with {} for none)");
        }
        return new CheckRequest(attributes, permits < 0 ? 1 : permits);
    }

    /** Reads the body of {@code /v1/reserve}, whose opening brace was read. */
    ReserveRequest reserve() throws IOException, JsonInputException {
        CheckRequest check = check(CheckFormat.RESERVE);
        return new ReserveRequest(check, ttl == null ? PolicyReservation.DEFAULT_TTL : ttl);
    }

    private Duration ttl() throws IOException, JsonInputException {
        String text = json.nextTextValue();
        Duration read = text == null ? null : ReservationTtl.parse(text);
        if (read == null) {
            throw errorHere("ttl is " + currentValue() + " (expected: " + ReservationTtl.EXPECTED + ")");
        }
        return read;
    }

    /** Reads the body of {@code /v1/settle}, whose opening brace was read. */
    SettleRequest settle() throws IOException, JsonInputException {
        String reservation = null;
        long permits = -1;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (name.equals("reservation")) {
                requireFirst(reservation == null);
                reservation = json.nextTextValue();
                if (reservation == null) {
                    throw errorHere(
                            "reservation is " + currentValue() + " (expected: the text that a reserve answered)");
                }
            } else if (name.equals("permits")) {
                requireFirst(permits < 0);
                permits = number(name);
            } else {
                throw unknown(name, CheckFormat.SETTLE);
            }
        }
        if (reservation == null || permits < 0) {
            throw errorHere((reservation == null ? "no reservation" : "no permits") + " (expected: "
                    + CheckFormat.SETTLE.expected + ")");
        }
        return new SettleRequest(reservation, permits);
    }

    /** Reads the body of {@code /v1/release} and {@code /v1/renew}, whose opening brace was read. */
    String holds() throws IOException, JsonInputException {
        String holds = null;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (!name.equals("holds")) {
                throw unknown(name, CheckFormat.HOLDS);
            }
            requireFirst(holds == null);
            holds = json.nextTextValue();
            if (holds == null) {
                throw errorHere("holds is " + currentValue() + " (expected: the text that a check answered)");
            }
        }
        if (holds == null) {
            throw errorHere("no holds (expected: " + CheckFormat.HOLDS.expected + ")");
        }
        return holds;
    }

    List<CheckRequest> batch(int max) throws IOException, JsonInputException {
        List<CheckRequest> checks = null;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (!name.equals("checks")) {
                throw unknown(name, CheckFormat.BATCH);
            }
            requireFirst(checks == null);
            checks = checks(max);
        }
        if (checks == null) {
            throw errorHere("no checks (expected: " + CheckFormat.BATCH.expected + ")");
        }
        return checks;
    }

    private List<CheckRequest> checks(int max) throws IOException, JsonInputException {
        if (json.nextToken() != JsonToken.START_ARRAY) {
            throw errorHere("checks is " + currentValue() + " (expected: an array of checks)");
        }
        List<CheckRequest> checks = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            index = checks.size();
            if (index == max) {
                index = -1;
                throw errorHere("more than " + max + " checks (expected: at most " + max + ")");
            } else if (json.currentToken() != JsonToken.START_OBJECT) {
                throw errorHere("is " + currentValue() + " (expected: " + CheckFormat.BODY.expected + ")");
            }
            checks.add(check(CheckFormat.BODY));
        }
        index = -1;
        return checks;
    }

    void requireEnd(CheckFormat format) throws IOException, JsonInputException {
        if (json.nextToken() != null) {
            throw errorHere(format.trailing);
        }
    }

    private JsonInputException unknown(String name, CheckFormat format) {
        return errorHere("unknown field " + DisplayText.quoted(name) + " (expected: " + format.fields + ")");
    }

    private void requireFirst(boolean isFirst) throws IOException, JsonInputException {
        if (!isFirst) {
            throw errorHere(json.currentName() + " a second time (expected: once)");
        }
    }

    private Map<String, String> attributes() throws IOException, JsonInputException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw errorHere("attributes is " + currentValue() + " (expected: an object such as {\"tenant\":\"acme\"})");
        }
        Map<String, String> attributes = new HashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (attributes.size() == maxAttributes) {
                throw errorHere("more than " + maxAttributes + " attributes (expected: at most " + maxAttributes + ")");
            }
            if (attributes.containsKey(name)) {
                throw errorHere("attribute " + DisplayText.quoted(name) + " a second time (expected: once)");
            }
            requireShort(name, name, "the name of ");
            String value = json.nextTextValue();
            if (value == null) {
                throw errorHere("attribute " + DisplayText.quoted(name) + " is " + currentValue() + " (expected: "
                        + expected() + ")");
            }
            requireShort(value, name, "");
            attributes.put(name, value);
        }
        return attributes;
    }

    private Map<String, Double> signals() throws IOException, JsonInputException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw errorHere("signals is " + currentValue() + " (expected: an object such as {\"cpu\":0.85})");
        }
        Map<String, Double> values = new HashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (values.containsKey(name)) {
                throw errorHere("signal " + DisplayText.quoted(name) + " a second time (expected: once)");
            }
            boolean isNumber = json.nextToken().isNumeric();
            double value = isNumber ? json.getDoubleValue() : Double.NaN;
            if (!Double.isFinite(value)) {
                throw errorHere("signal " + DisplayText.quoted(name) + " is " + currentValue()
                        + " (expected: a number such as 0.85)");
            }
            values.put(name, value);
        }
        return values;
    }

    private void requireShort(String text, String name, String what) throws JsonInputException {
        // A char has at most three bytes in UTF-8; a surrogate pair has four.
        if (text.length() > maxBytes / 3 && Utf8.length(text) > maxBytes) {
            throw errorHere(what + "attribute " + DisplayText.quoted(name) + " has " + Utf8.length(text)
                    + " bytes (expected: at most " + maxBytes + ")");
        }
    }

    private String expected() throws IOException {
        return switch (json.currentToken()) {
            case VALUE_NULL -> "a text, or no such attribute";
            case START_OBJECT, START_ARRAY -> "a text";
            default -> "a text, as in \"" + DisplayText.shortened(json.getText(), 60) + "\"";
        };
    }

    private long number(String name) throws IOException, JsonInputException {
        if (json.nextToken() != JsonToken.VALUE_NUMBER_INT) {
            throw notANumber(name);
        }
        char[] digits = json.getTextCharacters();
        int first = json.getTextOffset();
        long value = 0;
        for (int i = first; i < first + json.getTextLength(); i++) {
            value = 10 * value + (digits[i] - '0');
            if (digits[i] == '-' || value > MAX_NUMBER) {
                throw notANumber(name);
            }
        }
        return value;
    }

    private JsonInputException notANumber(String name) throws IOException {
        String message = name + " is " + currentValue() + " (expected: a whole number from 0 to " + MAX_NUMBER + ")";
        return error(json.currentTokenLocation(), index < 0 ? message : "checks[" + index + "]." + message);
    }

    private String currentValue() throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> DisplayText.quoted(json.getText());
            default -> DisplayText.shortened(json.getText(), 60);
        };
    }

    private JsonInputException errorHere(String message) {
        return error(json.currentTokenLocation(), index < 0 ? message : "checks[" + index + "]: " + message);
    }

    JsonInputException error(@Nullable JsonLocation place, String message) {
        return new JsonInputException(
                place == null ? start : start + (int) Math.max(0, place.getByteOffset()), message);
    }
}
