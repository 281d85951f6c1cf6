package io.sluice.http;

import io.sluice.policy.Address;
import io.sluice.policy.Cidr;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * Each proxy appends the address of its peer at the right end of the header. So the right end is as reliable as the
 * peer that sent it. A client may have invented everything to the left of the first address that is not a trusted
 * proxy. So the walk goes from the peer to the left, as long as the current address is trusted to report the next one
 * correctly.
 */
/**
 * Finds the address of the client behind trusted proxies. Immutable; never throws, whatever the headers contain.
 *
 * <ol>
 *   <li>A peer that is not a trusted proxy is the client; the headers are ignored.
 *   <li>Else the entries are read from the right. Trusted addresses are skipped; the first address that is not trusted
 *       is the client. If all are trusted, the leftmost is the client.
 *   <li>An entry without an address ends the walk: {@code unknown}, {@code _hidden}, an empty entry, a name, or a
 *       malformed entry. Then the client is the proxy that wrote the entry, the last trusted address. So no client can
 *       take the address of another by a malformed entry.
 *   <li>{@code X-Forwarded-For} and {@code Forwarded} (RFC 7239) are read in the same way. Most proxies write only one
 *       of them, and pass on the other as the client sent it. So only one is used: {@code X-Forwarded-For}, or {@code
 *       Forwarded} if there is no {@code X-Forwarded-For}, unless {@link Header} says which of them the proxies write.
 *   <li>A port is removed. The zone of a network interface is allowed only for the peer, and is removed too.
 * </ol>
 */
public final class ClientAddress {
    /** The loopback networks. */
    public static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1"));

    /** The header that the trusted proxies write. The other header comes from the client, and is ignored. */
    public enum Header {
        /** {@code X-Forwarded-For}, as most proxies do. */
        X_FORWARDED_FOR,
        /** {@code Forwarded}. */
        FORWARDED,
        /** {@code X-Forwarded-For} if a request has it, else {@code Forwarded}. */
        EITHER
    }

    private final List<Cidr> trusted;
    private final Header header;

    /** Trusts only proxies on this machine. */
    public ClientAddress() {
        this(LOOPBACK);
    }

    /**
     * Trusts these proxies.
     *
     * @param trusted the networks of all trusted proxies; {@link #LOOPBACK} is not added
     */
    public ClientAddress(List<Cidr> trusted) {
        this(trusted, Header.EITHER);
    }

    /**
     * Trusts these proxies, which write this header.
     *
     * @param trusted the networks of all trusted proxies; {@link #LOOPBACK} is not added
     */
    public ClientAddress(List<Cidr> trusted, Header header) {
        this.trusted = List.copyOf(trusted);
        this.header = Objects.requireNonNull(header, "header");
    }

    /** Whether a peer is a trusted proxy, whose forwarded headers are believed. */
    public boolean trusts(String peer) {
        Address address = peer(peer);
        return address != null && trusts(address);
    }

    /**
     * The address of the client as canonical text; the text of the peer if that is not an address.
     *
     * @param peer the address that opened the connection
     * @param xForwardedFor the values of all {@code X-Forwarded-For} headers, in order; empty if there are none
     * @param forwarded the values of all {@code Forwarded} headers, in order; empty if there are none
     */
    public String of(String peer, List<String> xForwardedFor, List<String> forwarded) {
        Address address = peer(peer);
        if (address == null) {
            return peer;
        }
        if (!trusts(address)) {
            return address.toString();
        }
        return (readsForwarded(xForwardedFor) ? walk(address, forwarded, true) : walk(address, xForwardedFor, false))
                .toString();
    }

    private boolean readsForwarded(List<String> xForwardedFor) {
        return header == Header.FORWARDED || (header == Header.EITHER && !isPresent(xForwardedFor));
    }

    private static @Nullable Address peer(String peer) {
        int zone = peer.indexOf('%');
        return Address.parseOrNull(zone < 0 ? peer : peer.substring(0, zone));
    }

    private boolean trusts(Address address) {
        for (Cidr network : trusted) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPresent(List<String> lines) {
        for (String line : lines) {
            if (!line.isBlank()) {
                return true;
            }
        }
        return false;
    }

    private Address walk(Address peer, List<String> lines, boolean forwarded) {
        Address last = peer;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i);
            int end = line.length();
            while (end >= 0) {
                int comma = forwarded ? ForwardedElement.commaBefore(line, end) : line.lastIndexOf(',', end - 1);
                String entry = line.substring(comma + 1, end);
                Address next = forwarded ? ForwardedElement.address(entry) : ForwardedNode.address(entry.strip());
                if (next == null) {
                    return last;
                }
                if (!trusts(next)) {
                    return next;
                }
                last = next;
                end = comma;
            }
        }
        return last;
    }
}
