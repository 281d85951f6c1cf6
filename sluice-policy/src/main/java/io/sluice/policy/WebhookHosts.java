package io.sluice.policy;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/*
 * A host name is compared as it is written in the URL, without DNS lookup. The owner of a name decides its addresses,
 * and an operator who allows the name trusts that owner. Networks are for URLs that contain an address.
 */
/**
 * The hosts that alerts may be posted to.
 *
 * @param allowed a name ({@code hooks.example.com}), all names below one ({@code *.example.com}), an address or a
 *     network ({@code 10.0.0.0/8}), or {@code *} for every host
 */
public record WebhookHosts(List<String> allowed) {
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?");

    private static final Pattern DIGITS = Pattern.compile("[0-9.]+");

    /** Every host. */
    public static final WebhookHosts ANY = new WebhookHosts(List.of("*"));

    /** @throws IllegalArgumentException if an item has none of these forms; the message says what was expected */
    public WebhookHosts {
        allowed = allowed.stream().map(WebhookHosts::canonical).toList();
        allowed.forEach(WebhookHosts::requireHost);
    }

    private static void requireHost(String host) {
        // A text of digits and dots is meant as an address. A mistake in it must not make it a name.
        boolean name = NAME.matcher(host).matches() && !DIGITS.matcher(host).matches();
        if (!host.equals("*") && !name) {
            try {
                Cidr.parse(host);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "host " + JsonText.quoted(host)
                                + " (expected: a name such as hooks.example.com or *.example.com, or a network such as 10.0.0.0/8)");
            }
        }
    }

    /**
     * Whether alerts may be posted to this host.
     *
     * @param host the host of a URL: a name, or an address, in brackets for IPv6
     */
    public boolean allow(String host) {
        String asked = canonical(host);
        boolean bracketed = asked.startsWith("[") && asked.endsWith("]");
        Address address = Address.parseOrNull(bracketed ? asked.substring(1, asked.length() - 1) : asked);
        return allowed.stream()
                .anyMatch(one -> one.equals("*") || (address == null ? isName(one, asked) : isIn(one, address)));
    }

    private static boolean isName(String allowed, String asked) {
        return allowed.startsWith("*.")
                ? asked.endsWith(allowed.substring(1)) && asked.length() >= allowed.length()
                : allowed.equals(asked);
    }

    private static boolean isIn(String allowed, Address address) {
        try {
            return Cidr.parse(allowed).contains(address);
        } catch (IllegalArgumentException e) {
            // The item is a name, not a network.
            return false;
        }
    }

    /** In lower case, without a dot at the end of a name ({@code *.} is a mistake and does not mean every host). */
    private static String canonical(String host) {
        String small = host.strip().toLowerCase(Locale.ROOT);
        return small.length() > 2 && small.endsWith(".") ? small.substring(0, small.length() - 1) : small;
    }

    /** {@code hooks.example.com, *.example.com}; {@code none} if the list is empty. */
    @Override
    public String toString() {
        return allowed.isEmpty() ? "none" : String.join(", ", allowed);
    }
}
