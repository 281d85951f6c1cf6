package io.sluice.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** Makes a {@link Request} of a line such as {@code {"time_us":0,"attributes":{"tenant":"acme"},"permits":1}}. */
final class RequestParser {
    static final String EXPECTED = "{\"time_us\":...,\"attributes\":{...}}";

    /** Where the thing began that is wrong now, and what a programmer could do about it. */
    private static final Pattern NOT_FOR_USERS = Pattern.compile(
            " \\([^(]*\\[Source:[^\\]]*\\]\\)|: enable `[^`]*` to allow| \\(not recognized as one since Feature [^)]*\\)");

    /** A line has an end already; within it, anything may be long. */
    private final JsonFactory factory = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** What is wrong with a line. */
    static final class Misfit extends Exception {
        private static final long serialVersionUID = 1;

        private final int column;

        Misfit(int column, String message) {
            super(message);
            this.column = column;
        }

        /** Where, in characters from 1. */
        int column() {
            return column;
        }
    }

    /** Whether JSON lets it stand between things. Lines have no other line breaks than at their end. */
    static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    /** The request in these bytes, which hold more than spaces. */
    Request parse(byte[] bytes, int from, int to) throws Misfit, IOException {
        int start = from;
        while (isSpace(bytes[start])) {
            start++;
        }
        // The parser would take a zero byte for a sign of UTF-16.
        if (bytes[start] != '{' || (start + 1 < to && bytes[start + 1] == 0)) {
            throw new Misfit(
                    start - from + 1,
                    "not a JSON object: "
                            + Shown.quoted(Arrays.copyOfRange(bytes, start, to), to - start)
                            + " (expected: " + EXPECTED + ")");
        }
        int wrong = Utf8.firstWrong(bytes, start, to);
        if (wrong >= 0) {
            throw new Misfit(
                    Utf8.characters(bytes, from, wrong) + 1,
                    "byte " + Utf8.shown(bytes[wrong]) + " is not UTF-8 (expected: UTF-8 text)");
        }
        try (JsonParser json = factory.createParser(bytes, start, to - start)) {
            RequestLine line = new RequestLine(json, bytes, from, start);
            try {
                return line.request();
            } catch (JsonEOFException e) {
                throw new Misfit(
                        Utf8.characters(bytes, from, to) + 1,
                        "the line ends within the request (expected: all of it on one line)");
            } catch (JsonProcessingException e) {
                throw line.misfit(e.getLocation(), "not JSON: " + problem(e));
            }
        }
    }

    private static String problem(JsonProcessingException e) {
        String message =
                NOT_FOR_USERS.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }
}
