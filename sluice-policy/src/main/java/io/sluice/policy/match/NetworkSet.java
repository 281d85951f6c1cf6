package io.sluice.policy.match;

import io.sluice.policy.Address;
import io.sluice.policy.Cidr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A set of networks. It tests in logarithmic time whether an address is in any of them. */
final class NetworkSet {
    private final Address[] ipv4;
    private final Address[] ipv6;
    private final int[] ipv4Prefixes;
    private final int[] ipv6Prefixes;

    NetworkSet(List<Cidr> networks) {
        List<Cidr> four = disjoint(networks, true);
        List<Cidr> six = disjoint(networks, false);
        ipv4 = four.stream().map(Cidr::network).toArray(Address[]::new);
        ipv6 = six.stream().map(Cidr::network).toArray(Address[]::new);
        ipv4Prefixes = four.stream().mapToInt(Cidr::prefix).toArray();
        ipv6Prefixes = six.stream().mapToInt(Cidr::prefix).toArray();
    }

    /**
     * Two networks are disjoint, or one contains the other. So without the contained ones, the sorted list has no
     * overlaps.
     */
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

    /** Whether the text is an address in one of the networks. */
    boolean contains(String text) {
        Address address = Address.parseOrNull(text);
        if (address == null) {
            return false;
        }
        return address.isIpv4() ? contains(ipv4, ipv4Prefixes, address) : contains(ipv6, ipv6Prefixes, address);
    }

    private static boolean contains(Address[] networks, int[] prefixes, Address address) {
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
