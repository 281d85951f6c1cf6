package io.sluice.server.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A text with checks, while it is read. */
final class CheckFields {
    private static final long MOST = (1L << 53) - 1;

    private final JsonParser json;
    private final int start;
    private final int mostAttributes;
    private final int mostBytes;

    /** Which check of many is read; -1 if it is the only one. */
    private int index = -1;

    private long time = -1;

    /** @param start where in the bytes the parser began */
    CheckFields(JsonParser json, int start, int mostAttributes, int mostBytes) {
        this.json = json;
        this.start = start;
        this.mostAttributes = mostAttributes;
        this.mostBytes = mostBytes;
    }

    TimedCheck timed() throws IOException, Misfit {
        Check check = check(Form.LINE);
        return new TimedCheck(time, check);
    }

    /** The check whose brace was read. */
    Check check(Form form) throws IOException, Misfit {
        long permits = -1;
        Map<String, String> attributes = null;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (name.equals("attributes")) {
                requireNew(attributes == null);
                attributes = attributes();
            } else if (name.equals("permits")) {
                requireNew(permits < 0);
                permits = number(name);
            } else if (form == Form.LINE && name.equals("time_us")) {
                requireNew(time < 0);
                time = number(name);
            } else {
                throw unknown(name, form);
            }
        }
        if (form == Form.LINE && time < 0) {
            throw here("no time_us (expected: " + form.expected + ")");
        } else if (attributes == null) {
            throw here("no attributes (expected: " + form.expected + ", with {} for none)");
        }
        return new Check(attributes, permits < 0 ? 1 : permits);
    }

    List<Check> batch(int most) throws IOException, Misfit {
        List<Check> checks = null;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (!name.equals("checks")) {
                throw unknown(name, Form.BATCH);
            }
            requireNew(checks == null);
            checks = checks(most);
        }
        if (checks == null) {
            throw here("no checks (expected: " + Form.BATCH.expected + ")");
        }
        return checks;
    }

    private List<Check> checks(int most) throws IOException, Misfit {
        if (json.nextToken() != JsonToken.START_ARRAY) {
            throw here("checks is " + shown() + " (expected: an array of checks)");
        }
        List<Check> checks = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            index = checks.size();
            if (index == most) {
                index = -1;
                throw here("more than " + most + " checks (expected: at most " + most + ")");
            } else if (json.currentToken() != JsonToken.START_OBJECT) {
                throw here("is " + shown() + " (expected: " + Form.BODY.expected + ")");
            }
            checks.add(check(Form.BODY));
        }
        index = -1;
        return checks;
    }

    void requireEnd(Form form) throws IOException, Misfit {
        if (json.nextToken() != null) {
            throw here(form.more);
        }
    }

    private Misfit unknown(String name, Form form) {
        return here("unknown field " + Shown.quoted(name) + " (expected: " + form.fields + ")");
    }

    private void requireNew(boolean isNew) throws IOException, Misfit {
        if (!isNew) {
            throw here(json.currentName() + " a second time (expected: once)");
        }
    }

    private Map<String, String> attributes() throws IOException, Misfit {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw here("attributes is " + shown() + " (expected: an object such as {\"tenant\":\"acme\"})");
        }
        Map<String, String> attributes = new HashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (attributes.size() == mostAttributes) {
                throw here("more than " + mostAttributes + " attributes (expected: at most " + mostAttributes + ")");
            }
            if (attributes.containsKey(name)) {
                throw here("attribute " + Shown.quoted(name) + " a second time (expected: once)");
            }
            requireShort(name, name, "the name of ");
            String value = json.nextTextValue();
            if (value == null) {
                throw here("attribute " + Shown.quoted(name) + " is " + shown() + " (expected: " + expected() + ")");
            }
            requireShort(value, name, "");
            attributes.put(name, value);
        }
        return attributes;
    }

    private void requireShort(String text, String name, String what) throws Misfit {
        // A character is at most three bytes, or two with four.
        if (text.length() > mostBytes / 3 && Utf8.length(text) > mostBytes) {
            throw here(what + "attribute " + Shown.quoted(name) + " has " + Utf8.length(text)
                    + " bytes (expected: at most " + mostBytes + ")");
        }
    }

    private String expected() throws IOException {
        return switch (json.currentToken()) {
            case VALUE_NULL -> "a text, or no such attribute";
            case START_OBJECT, START_ARRAY -> "a text";
            default -> "a text, as in \"" + Shown.shortened(json.getText(), 60) + "\"";
        };
    }

    private long number(String name) throws IOException, Misfit {
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

    private Misfit notNumber(String name) throws IOException {
        String message = name + " is " + shown() + " (expected: a whole number from 0 to " + MOST + ")";
        return misfit(json.currentTokenLocation(), index < 0 ? message : "checks[" + index + "]." + message);
    }

    private String shown() throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> Shown.quoted(json.getText());
            default -> Shown.shortened(json.getText(), 60);
        };
    }

    private Misfit here(String message) {
        return misfit(json.currentTokenLocation(), index < 0 ? message : "checks[" + index + "]: " + message);
    }

    Misfit misfit(@Nullable JsonLocation place, String message) {
        return new Misfit(place == null ? start : start + (int) Math.max(0, place.getByteOffset()), message);
    }
}
