package io.sluice.server.guard;

import io.sluice.policy.Address;
import org.jspecify.annotations.Nullable;

/** The network of a client: an IPv4 address, or the /64 network of an IPv6 address, because one client has all of it. */
final class ClientNetwork {
    private ClientNetwork() {}

    static String of(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        int zone = address.indexOf('%');
        @Nullable Address parsed = Address.parseOrNull(zone < 0 ? address : address.substring(0, zone));
        if (parsed == null) {
            return address;
        }
        return parsed.isIpv4() ? parsed.toString() : new Address(parsed.high(), 0) + "/64";
    }
}
