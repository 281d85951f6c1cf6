package io.sluice.policy.match;

import io.sluice.policy.Address;
import io.sluice.policy.JsonText;
import io.sluice.policy.KeyPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses the keys that {@link KeyFormat} writes, for readers and for the store. */
public final class KeyParser {
    private KeyParser() {}

    /**
     * The attributes of a request with this key.
     *
     * @param key values by the text of the part, {@code ip/64}, or by the attribute, {@code ip}; a network stands for
     *     its addresses
     * @throws IllegalArgumentException if the key does not have these parts
     */
    public static Map<String, String> attributes(List<KeyPart> parts, Map<String, String> key) {
        Map<String, String> attributes = new HashMap<>();
        for (KeyPart part : parts) {
            String value = key.getOrDefault(part.toString(), key.get(part.attribute()));
            if (value == null) {
                throw new IllegalArgumentException("key: " + part.attribute() + " is absent" + expected(parts));
            }
            // If the key has the network and the whole value, the whole value is more exact.
            if (part.prefix() == KeyPart.WHOLE) {
                attributes.put(part.attribute(), value);
            } else {
                attributes.putIfAbsent(part.attribute(), address(value, part.prefix()));
            }
        }
        for (String name : key.keySet()) {
            if (parts.stream()
                    .noneMatch(part ->
                            part.toString().equals(name) || part.attribute().equals(name))) {
                throw new IllegalArgumentException("key: " + JsonText.quoted(name) + expected(parts));
            }
        }
        return attributes;
    }

    private static String expected(List<KeyPart> parts) {
        return parts.isEmpty()
                ? " (expected: none, because the policy has no key attributes)"
                : parts.stream().map(KeyPart::toString).collect(Collectors.joining(", ", " (expected: ", ")"));
    }

    /** The first address of a network; the value itself if it is not a network of this size. */
    private static String address(String value, int prefix) {
        int slash = value.lastIndexOf('/');
        Address address = slash < 0 ? null : Address.parseOrNull(value.substring(0, slash));
        if (address != null && value.substring(slash + 1).equals("" + Math.min(prefix, address.bits()))) {
            return value.substring(0, slash);
        }
        return value;
    }

    /** The values of a key text, by the text of the parts; null if the text is a digest, or has other parts. */
    public static @Nullable Map<String, String> parse(List<KeyPart> parts, String text) {
        if (text.startsWith("#") && !text.startsWith("##")) {
            return null;
        }
        String plain = text.startsWith("##") ? text.substring(1) : text;
        List<String> values = parts.size() == 1 ? List.of(plain) : split(plain);
        if (values.size() != parts.size()) {
            return null;
        }
        Map<String, String> key = new LinkedHashMap<>();
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            boolean notAnAddress = parts.get(i).prefix() != KeyPart.WHOLE && value.startsWith("=");
            key.put(parts.get(i).toString(), notAnAddress ? value.substring(1) : value);
        }
        return key;
    }

    private static List<String> split(String text) {
        List<String> values = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ',') {
                values.add(value.toString());
                value.setLength(0);
            } else {
                value.append(c == '\\' && i + 1 < text.length() ? text.charAt(++i) : c);
            }
        }
        values.add(value.toString());
        return values;
    }
}
