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
 * The state of a policy belongs to its name. So the name of a rule depends only on its position in the tree: a reload
 * that changes the limit or the order of rules keeps the state. No two rules have the same name: separators are escaped
 * within the parts of a name, and a long name is shortened and ends in "#" and a digest. A "#" in a part is escaped as
 * well.
 */
/**
 * The position of a descriptor in the tree of its domain.
 *
 * @param name such as {@code messaging/message_type=marketing,to_number}: printable ASCII of bounded length
 * @param depth the number of descriptors on the path, with this one
 * @param open the entries whose values the rule leaves open; their values are the key
 */
record EnvoyPath(String name, int depth, List<Open> open) {
    private static final int MAX_LENGTH = ValueReader.MAX_NAME_LENGTH;
    private static final int DIGEST_BYTES = 15;
    private static final int CUT = MAX_LENGTH - 1 - DIGEST_BYTES / 3 * 4;

    /**
     * An entry whose value the rule leaves open.
     *
     * @param index its index in a descriptor
     * @param attribute the attribute of the policy; it includes the index, because a key may occur several times
     */
    record Open(int index, String attribute) {}

    static EnvoyPath of(String domain) {
        return new EnvoyPath(bounded(escaped(domain, "/")), 0, List.of());
    }

    /** @param isOpen whether each value is a key of its own */
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
        if (name.length() <= MAX_LENGTH) {
            return name;
        }
        int cut = CUT;
        while (name.charAt(cut - 1) == '\\') {
            cut--; // else the "#" would look escaped
        }
        byte[] digest = KeyFormat.sha256().digest(name.getBytes(StandardCharsets.US_ASCII));
        return name.substring(0, cut) + "#"
                + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, DIGEST_BYTES));
    }
}
