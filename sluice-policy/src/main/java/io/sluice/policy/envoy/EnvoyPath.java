package io.sluice.policy.envoy;

import io.sluice.policy.match.KeyFormat;
import io.sluice.policy.yaml.ValueReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * A policy's use is known by its name, so a name says where the rule stands and nothing else: a reload that changes the limit
 * or the order of rules keeps what was used. No two rules share a name: whatever separates the parts of a name is escaped
 * within them, and what is cut off is replaced by a digest behind a "#", which is escaped as well.
 */
/**
 * Where a descriptor stands in its domain.
 *
 * @param name as in {@code messaging/message_type=marketing,to_number}: printable ASCII of bounded length
 * @param depth how many descriptors it is inside of, itself counted
 * @param open the entries whose values are not given, and tell buckets apart
 */
record EnvoyPath(String name, int depth, List<Open> open) {
    private static final int LONGEST = ValueReader.LONGEST_NAME;
    private static final int DIGEST_BYTES = 15;
    private static final int CUT = LONGEST - 1 - DIGEST_BYTES / 3 * 4;

    /**
     * An entry whose value the rule leaves open.
     *
     * @param index its place in a descriptor
     * @param attribute by which the policy knows it; with the place, because a key may occur at several
     */
    record Open(int index, String attribute) {}

    static EnvoyPath of(String domain) {
        return new EnvoyPath(bounded(escaped(domain, "/")), 0, List.of());
    }

    /** @param isOpen whether each value has a bucket of its own */
    EnvoyPath then(String key, @Nullable String value, boolean isOpen) {
        String separator = depth == 0 ? "/" : ",";
        String text = escaped(key, ",=") + (value == null ? "" : "=" + escaped(value, ","));
        List<Open> longer = open;
        if (isOpen) {
            longer = new ArrayList<>(open);
            longer.add(new Open(depth, (depth + 1) + ":" + key));
        }
        return new EnvoyPath(bounded(name + separator + text), depth + 1, longer);
    }

    private static String escaped(String text, String separators) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                if (c == '\\' || c == '#' || separators.indexOf(c) >= 0) {
                    out.append('\\');
                }
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String bounded(String name) {
        if (name.length() <= LONGEST) {
            return name;
        }
        int cut = CUT;
        while (name.charAt(cut - 1) == '\\') {
            cut--; // or the "#" would look escaped
        }
        byte[] digest = KeyFormat.sha256().digest(name.getBytes(StandardCharsets.US_ASCII));
        return name.substring(0, cut) + "#"
                + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, DIGEST_BYTES));
    }
}
