package io.sluice.server.guard;

import io.sluice.policy.Address;
import org.jspecify.annotations.Nullable;

/** Where tries come from: an IPv4 address, or the network of 64 bits of an IPv6 one, which one client has for itself. */
final class Source {
    private Source() {}

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
