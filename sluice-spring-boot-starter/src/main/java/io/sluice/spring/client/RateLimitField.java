package io.sluice.spring.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Two forms are in use. The newer drafts have a list of quotas, each with parameters: "minute";r=0;t=12, "day";r=70;t=3600. The older
 * drafts have one quota: limit=10, remaining=0, reset=12. Both are read tolerantly: what is not understood is ignored.
 */
/** The value of a {@code RateLimit} header. */
final class RateLimitField {
    private RateLimitField() {}

    /** After how many seconds all quotas that are used up have permits again; null if none is used up, or it does not say. */
    static @Nullable Long exhaustedFor(List<String> lines) {
        Long longest = null;
        Long remaining = null;
        Long reset = null;
        for (String member : split(String.join(",", lines), ',')) {
            List<String> parts = split(member, ';');
            String head = parts.get(0);
            if (head.startsWith("remaining=")) {
                remaining = Digits.parse(head.substring("remaining=".length()));
            } else if (head.startsWith("reset=")) {
                reset = Digits.parse(head.substring("reset=".length()));
            } else {
                Long left = parameter(parts, "r=");
                Long time = parameter(parts, "t=");
                if (left != null && left == 0 && time != null && (longest == null || time > longest)) {
                    longest = time;
                }
            }
        }
        return longest == null && remaining != null && remaining == 0 ? reset : longest;
    }

    private static @Nullable Long parameter(List<String> parts, String name) {
        for (String part : parts.subList(1, parts.size())) {
            if (part.startsWith(name)) {
                return Digits.parse(part.substring(name.length()));
            }
        }
        return null;
    }

    /** Splits where the separator is outside of quoted text. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        parts.add(text.substring(from).strip());
        return parts;
    }
}
