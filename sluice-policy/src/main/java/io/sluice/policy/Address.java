package io.sluice.policy;

import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address. It is parsed strictly and without name lookup: host names, zones, and leading zeros in an
 * IPv4 address are refused. An IPv4-mapped IPv6 address ({@code ::ffff:192.0.2.1}) is that IPv4 address. The text
 * follows RFC 5952, so each address has exactly one text.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits; an IPv4 address is stored as an IPv4-mapped IPv6 address
 */
public record Address(long high, long low) implements Comparable<Address> {
    private static final long IPV4 = 0xffff_0000_0000L;
    private static final long IPV4_BITS = 0xffff_ffffL;
    private static final int MAX_LENGTH = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length();
    private static final int GROUPS = 8;
    private static final int NONE = -1;

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if the text is not an address; the message says what was expected
     */
    public static Address parse(String text) {
        Address address = parseOrNull(text);
        if (address == null) {
            throw new IllegalArgumentException(
                    "address: " + JsonText.quoted(text) + " (expected: an IPv4 or IPv6 address, without a zone)");
        }
        return address;
    }

    /** Parses an address; null if the text is not an address. */
    public static @Nullable Address parseOrNull(String text) {
        return text.indexOf(':') < 0 ? ofIpv4(ipv4(text, 0)) : ipv6(text);
    }

    /** Whether it is an IPv4 address. */
    public boolean isIpv4() {
        return high == 0 && (low & ~IPV4_BITS) == IPV4;
    }

    /** The number of bits: 32 or 128. */
    public int bits() {
        return isIpv4() ? 32 : 128;
    }

    /** The address with all bits after the first {@code prefix} set to 0. */
    public Address masked(int prefix) {
        int kept = isIpv4() ? prefix + 96 : prefix;
        return new Address(high & mask(kept), low & mask(kept - 64));
    }

    private static long mask(int ones) {
        return ones <= 0 ? 0 : ones >= 64 ? -1 : -1L << (64 - ones);
    }

    /** Numeric order. */
    @Override
    public int compareTo(Address other) {
        int order = Long.compareUnsigned(high, other.high);
        return order == 0 ? Long.compareUnsigned(low, other.low) : order;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(MAX_LENGTH);
        if (isIpv4()) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                out.append((low >> shift) & 0xff).append(shift == 0 ? "" : ".");
            }
            return out.toString();
        }
        int gap = NONE;
        int gapLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int zeros = 0;
            while (i + zeros < GROUPS && group(i + zeros) == 0) {
                zeros++;
            }
            if (zeros > gapLength) {
                gap = i;
                gapLength = zeros;
            }
        }
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                out.append("::");
                i += gapLength - 1;
            } else {
                out.append(i == 0 || out.charAt(out.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(group(i)));
            }
        }
        return out.toString();
    }

    private int group(int i) {
        return (int) ((i < 4 ? high : low) >>> (48 - 16 * (i & 3))) & 0xffff;
    }

    static @Nullable Address ofIpv4(long bits) {
        return bits < 0 ? null : new Address(0, IPV4 | bits);
    }

    /** Parses the IPv4 address from this index to the end, as 32 bits; negative if there is none. */
    static long ipv4(String text, int from) {
        if (text.length() - from > "255.255.255.255".length()) {
            return NONE;
        }
        long bits = 0;
        int octets = 0;
        int i = from;
        while (true) {
            int start = i;
            int octet = 0;
            while (i < text.length() && isDigit(text.charAt(i))) {
                octet = octet * 10 + text.charAt(i++) - '0';
            }
            int digits = i - start;
            if (digits == 0 || digits > 3 || octet > 255 || (digits > 1 && text.charAt(start) == '0')) {
                return NONE;
            }
            bits = bits << 8 | octet;
            octets++;
            if (i == text.length()) {
                return octets == 4 ? bits : NONE;
            }
            if (octets == 4 || text.charAt(i++) != '.') {
                return NONE;
            }
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static @Nullable Address ipv6(String text) {
        int length = text.length();
        if (length > MAX_LENGTH) {
            return null;
        }
        int[] groups = new int[GROUPS];
        int count = 0;
        int gap = NONE;
        int i = 0;
        if (text.startsWith("::")) {
            gap = 0;
            i = 2;
        }
        while (i < length) {
            int start = i;
            int group = 0;
            while (i < length && Character.digit(text.charAt(i), 16) >= 0 && text.charAt(i) < 128) {
                group = group << 4 | Character.digit(text.charAt(i++), 16);
            }
            if (i < length && text.charAt(i) == '.') {
                long last = ipv4(text, start);
                if (last < 0 || count > GROUPS - 2) {
                    return null;
                }
                groups[count++] = (int) (last >> 16);
                groups[count++] = (int) last & 0xffff;
                break;
            }
            if (i == start || i - start > 4 || count == GROUPS) {
                return null;
            }
            groups[count++] = group;
            if (i == length) {
                break;
            }
            if (text.charAt(i++) != ':' || i == length) {
                return null;
            }
            if (text.charAt(i) == ':') {
                if (gap != NONE) {
                    return null;
                }
                gap = count;
                i++;
            }
        }
        if (gap == NONE ? count != GROUPS : count == GROUPS) {
            return null;
        }
        long high = 0;
        long low = 0;
        for (int at = 0, next = 0; at < GROUPS; at++) {
            boolean omitted = gap != NONE && at >= gap && at < gap + GROUPS - count;
            int group = omitted ? 0 : groups[next++];
            high = high << 16 | low >>> 48;
            low = low << 16 | group;
        }
        return new Address(high, low);
    }
}
