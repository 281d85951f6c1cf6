package io.sluice.spring.actuate;

import io.sluice.policy.JsonText;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Reads the parameters of a request to the endpoint. */
final class RequestParameters {
    private RequestParameters() {}

    /**
     * The attributes of a request that is explained.
     *
     * @param parameter a text {@code name=value}, or several of them; null for none
     */
    static Map<String, String> attributes(@Nullable Object parameter) {
        Collection<?> texts = parameter == null
                ? List.of()
                : parameter instanceof Collection<?> several ? several : List.of(parameter);
        Map<String, String> attributes = new LinkedHashMap<>();
        for (Object item : texts) {
            String text = String.valueOf(item);
            int end = text.indexOf('=');
            if (end < 1) {
                throw refused("attribute: " + JsonText.quoted(text)
                        + " (expected: name=value, such as attribute=tenant=acme)");
            }
            String name = text.substring(0, end);
            if (attributes.put(name, text.substring(end + 1)) != null) {
                throw refused("attribute: " + JsonText.quoted(name) + " twice (expected: each attribute once)");
            }
        }
        return attributes;
    }

    /**
     * A number.
     *
     * @param text the parameter; null if the request does not have it
     */
    static int number(String name, @Nullable String text, int absent, int min, int max) {
        if (text == null) {
            return absent;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // It is refused below.
        }
        throw refused(name + ": " + JsonText.quoted(text) + " (expected: " + min + " to " + max + ")");
    }

    private static InvalidEndpointRequestException refused(String problem) {
        return new InvalidEndpointRequestException(problem, problem);
    }
}
