package io.sluice.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Many networks as one: whether an address is in any of them is found in logarithmic time. */
final class Networks {
    private final Address[] ipv4;
    private final Address[] ipv6;
    private final int[] ipv4Prefixes;
    private final int[] ipv6Prefixes;

    Networks(List<Cidr> networks) {
        List<Cidr> four = disjoint(networks, true);
        List<Cidr> six = disjoint(networks, false);
        ipv4 = four.stream().map(Cidr::network).toArray(Address[]::new);
        ipv6 = six.stream().map(Cidr::network).toArray(Address[]::new);
        ipv4Prefixes = four.stream().mapToInt(Cidr::prefix).toArray();
        ipv6Prefixes = six.stream().mapToInt(Cidr::prefix).toArray();
    }

    /** Two networks are apart, or one holds the other: dropping those that are held leaves a sorted list without overlaps. */
    private static List<Cidr> disjoint(List<Cidr> networks, boolean ipv4) {
        List<Cidr> sorted = networks.stream()
                .filter(network -> network.network().isIpv4() == ipv4)
                .sorted(Comparator.comparing(Cidr::network).thenComparing(Cidr::prefix))
                .toList();
        List<Cidr> kept = new ArrayList<>();
        for (Cidr network : sorted) {
            if (kept.isEmpty() || !kept.get(kept.size() - 1).contains(network.network())) {
                kept.add(network);
            }
        }
        return kept;
    }

    /** Whether the text is an address in one of them. */
    boolean contain(String text) {
        Address address = Address.parseOrNull(text);
        if (address == null) {
            return false;
        }
        return address.isIpv4() ? contain(ipv4, ipv4Prefixes, address) : contain(ipv6, ipv6Prefixes, address);
    }

    private static boolean contain(Address[] networks, int[] prefixes, Address address) {
        int low = 0;
        int high = networks.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (networks[middle].compareTo(address) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high >= 0 && address.masked(prefixes[high]).equals(networks[high]);
    }
}
