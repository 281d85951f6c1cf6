package io.sluice.policy;

/**
 * A network in CIDR notation, such as {@code 10.0.0.0/8}. IPv4 and IPv6 networks never overlap: no IPv6 network
 * contains an IPv4 address, not even {@code ::/0}.
 *
 * @param network the first address of the network
 * @param prefix the number of leading bits that all its addresses share
 */
public record Cidr(Address network, int prefix) {
    public Cidr {
        if (prefix < 0 || prefix > network.bits()) {
            throw new IllegalArgumentException(
                    "cidr: \"" + network + "/" + prefix + "\" (expected: a prefix of 0 to " + network.bits() + ")");
        }
        Address meant = network.masked(prefix);
        if (!meant.equals(network)) {
            throw new IllegalArgumentException("cidr: \"" + network + "/" + prefix + "\" (expected: the network "
                    + meant + "/" + prefix + " or the address " + network + "/" + network.bits() + ")");
        }
    }

    /**
     * Parses a network. A single address is a network of one address.
     *
     * @throws IllegalArgumentException if the text is not a network; the message says what was expected
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        Address address = Address.parseOrNull(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException("cidr: " + JsonText.quoted(text)
                    + " (expected: a network such as 10.0.0.0/8 or 2001:db8::/32, or an address, without a zone)");
        }
        if (slash < 0) {
            return new Cidr(address, address.bits());
        }
        int bits = text.indexOf(':') < 0 ? 32 : 128;
        int prefix = prefix(text, slash + 1);
        if (prefix < 0 || prefix > bits) {
            throw new IllegalArgumentException(
                    "cidr: " + JsonText.quoted(text) + " (expected: a prefix of 0 to " + bits + ")");
        }
        // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
        int hidden = bits - address.bits();
        if (prefix < hidden) {
            throw new IllegalArgumentException("cidr: " + JsonText.quoted(text) + " (expected: a prefix of " + hidden
                    + " to 128, since this is the IPv4 address " + address + ")");
        }
        return new Cidr(address, prefix - hidden);
    }

    private static int prefix(String text, int from) {
        int digits = text.length() - from;
        if (digits < 1 || digits > 3 || (digits > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        int prefix = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            prefix = prefix * 10 + c - '0';
        }
        return prefix;
    }

    /** Whether the address is in this network. */
    public boolean contains(Address address) {
        // A masked IPv4 address is still an IPv4 address, so it never equals an IPv6 network, and vice versa.
        return address.masked(prefix).equals(network);
    }

    /** Whether the text is an address in this network; false if it is not an address. */
    public boolean contains(String text) {
        Address address = Address.parseOrNull(text);
        return address != null && contains(address);
    }

    /** {@code 10.0.0.0/8}; the prefix is written even for a single address. */
    @Override
    public String toString() {
        return network + "/" + prefix;
    }
}
