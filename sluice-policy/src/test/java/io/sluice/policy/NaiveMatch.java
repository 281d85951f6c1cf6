package io.sluice.policy;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.regex.Pattern;

/** Matching as the design document describes it, slow and obvious. */
public final class NaiveMatch {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-f:]*:[0-9a-f:.]*");

    private NaiveMatch() {}

    public static boolean matches(Match match, Map<String, String> request) {
        for (Map.Entry<String, Condition> entry : match.conditions().entrySet()) {
            String value = request.get(entry.getKey());
            if (value == null || !holds(entry.getValue(), value)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(Condition condition, String value) {
        if (condition instanceof Condition.Exact exact) {
            return exact.text().equals(value);
        } else if (condition instanceof Condition.Glob glob) {
            return glob(glob.pattern(), value);
        } else if (condition instanceof Condition.AnyOf any) {
            return any.conditions().stream().anyMatch(each -> holds(each, value));
        } else if (condition instanceof Condition.Regex regex) {
            return Pattern.matches(regex.pattern().pattern(), value);
        } else if (condition instanceof Condition.InCidr in) {
            return cidr(in.network().toString(), value);
        }
        return !holds(((Condition.Not) condition).condition(), value);
    }

    public static boolean glob(String pattern, String value) {
        if (pattern.isEmpty()) {
            return value.isEmpty();
        }
        if (pattern.charAt(0) != '*') {
            return !value.isEmpty()
                    && value.charAt(0) == pattern.charAt(0)
                    && glob(pattern.substring(1), value.substring(1));
        }
        boolean deep = pattern.startsWith("**");
        String rest = pattern.substring(deep ? 2 : 1);
        for (int taken = 0; taken <= value.length(); taken++) {
            if (!deep && value.substring(0, taken).contains("/")) {
                return false;
            }
            if (glob(rest, value.substring(taken))) {
                return true;
            }
        }
        return false;
    }

    private static boolean cidr(String cidr, String value) {
        String[] parts = cidr.split("/", -1);
        boolean four = IPV4.matcher(value).matches();
        if (!(four || IPV6.matcher(value).matches())
                || four != IPV4.matcher(parts[0]).matches()) {
            return false;
        }
        int shift = (four ? 32 : 128) - Integer.parseInt(parts[1]);
        return bits(parts[0]).shiftRight(shift).equals(bits(value).shiftRight(shift));
    }

    private static BigInteger bits(String address) {
        try {
            return new BigInteger(1, InetAddress.getByName(address).getAddress());
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
