package io.sluice.policy;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A network or address, where a warning needs to compare two of them. Only what is written plainly is read: what is not
 * is unknown, and nothing is warned about.
 *
 * @param address as a number
 * @param width how many bits such an address has
 * @param bits how many of them the network's addresses share; all for one address
 */
record LintNetwork(BigInteger address, int width, int bits) {
    private static final Pattern PLAIN = Pattern.compile(
            "((?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})|[0-9a-fA-F:]{2,39})(?:/([0-9]{1,3}))?");
    private static final Pattern NO_ADDRESS = Pattern.compile(".*[^0-9a-fA-FxX:.%/\\[\\]\\s].*", Pattern.DOTALL);

    /** Null if it is none, or one that could be read in several ways. */
    static @Nullable LintNetwork parse(String text) {
        Matcher matcher = PLAIN.matcher(text);
        if (!matcher.matches()
                || (matcher.group(1).indexOf(':') < 0 && matcher.group(1).indexOf('.') < 0)) {
            return null;
        }
        try {
            // With dots or colons it is a literal: no name is looked up.
            InetAddress parsed = InetAddress.getByName(matcher.group(1));
            // An IPv4 address in IPv6 clothes.
            if (parsed instanceof Inet4Address && text.indexOf(':') >= 0) {
                return null;
            }
            byte[] address = parsed.getAddress();
            int width = address.length * Byte.SIZE;
            int bits = matcher.group(2) == null ? width : Integer.parseInt(matcher.group(2));
            return bits > width ? null : new LintNetwork(new BigInteger(1, address), width, bits);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Whether the text cannot be an address. */
    static boolean isNoAddress(String text) {
        return NO_ADDRESS.matcher(text).matches();
    }

    boolean contains(LintNetwork other) {
        return width == other.width
                && bits <= other.bits
                && address.xor(other.address).shiftRight(width - bits).signum() == 0;
    }
}
