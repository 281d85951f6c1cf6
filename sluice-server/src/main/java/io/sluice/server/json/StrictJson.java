package io.sluice.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Refuses bodies that are not JSON, and those that have a field twice, of which a decoder would silently drop one. */
public final class StrictJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private StrictJson() {}

    /**
     * Requires that a body is JSON, or empty.
     *
     * @throws IllegalArgumentException with the line, the column and the problem
     */
    public static void require(byte[] text) {
        try (JsonParser json = FACTORY.createParser(text)) {
            requireRest(json);
        } catch (IOException e) {
            throw new UncheckedIOException("from memory", e);
        }
    }

    private static void requireRest(JsonParser json) throws IOException {
        try {
            while (json.nextToken() != null) {
                // Only the problems count.
            }
        } catch (JsonProcessingException e) {
            // An exception about a bound, such as the depth, has no location.
            JsonLocation at = e.getLocation() == null ? json.currentLocation() : e.getLocation();
            throw new IllegalArgumentException(
                    "body: not JSON, line " + at.getLineNr() + ", column " + at.getColumnNr() + ": "
                            + CheckJson.problem(e),
                    e);
        }
    }
}
