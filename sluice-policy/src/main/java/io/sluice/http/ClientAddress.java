package io.sluice.http;

import io.sluice.policy.Address;
import io.sluice.policy.Cidr;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * Each proxy writes the address it was called from at the right end of the header, so the right end is as good as the peer
 * that sent it, and everything to the left of the first address that is no proxy of ours may have been made up by the client.
 * Hence the walk: from the peer to the left, as long as the address at hand is trusted to tell the truth about the next one.
 */
/**
 * Whose request it is, when proxies stand in between. Immutable; never throws, whatever the headers say.
 *
 * <ol>
 *   <li>A peer that is no trusted proxy is the client; what the headers say does not count.
 *   <li>Else the entries are read from the right: a trusted address is passed over, the first that is not trusted is the
 *       client. If all are trusted, the leftmost is.
 *   <li>An entry that names no address ends the walk: {@code unknown}, {@code _hidden}, an empty one, a name, anything
 *       malformed. The client then is the proxy that wrote it, the last address that could be trusted. So nobody becomes
 *       someone else by what a proxy cannot read.
 *   <li>{@code X-Forwarded-For} and {@code Forwarded} (RFC 7239) are read alike. Most proxies write only one of them, and
 *       pass on the other as the client sent it. So only one counts: {@code X-Forwarded-For}, and {@code Forwarded} where
 *       there is no such header, unless {@link Header} says which of them the proxies write.
 *   <li>A port is dropped; a network interface's zone counts only for the peer, and is dropped as well.
 * </ol>
 */
public final class ClientAddress {
    /** The networks of this machine itself. */
    public static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1"));

    /** Which header the trusted proxies write. The other one is the client's, and does not count. */
    public enum Header {
        /** {@code X-Forwarded-For}, as most do. */
        X_FORWARDED_FOR,
        /** {@code Forwarded}. */
        FORWARDED,
        /** {@code X-Forwarded-For} if a request has it, else {@code Forwarded}. */
        EITHER
    }

    private final List<Cidr> trusted;
    private final Header header;

    /** Trusts the machine itself and nobody else. */
    public ClientAddress() {
        this(LOOPBACK);
    }

    /**
     * Trusts some proxies.
     *
     * @param trusted all of them; {@link #LOOPBACK} is not added
     */
    public ClientAddress(List<Cidr> trusted) {
        this(trusted, Header.EITHER);
    }

    /**
     * Trusts some proxies that write that header.
     *
     * @param trusted all of them; {@link #LOOPBACK} is not added
     */
    public ClientAddress(List<Cidr> trusted, Header header) {
        this.trusted = List.copyOf(trusted);
        this.header = Objects.requireNonNull(header, "header");
    }

    /** Whether a peer is a trusted proxy, so that headers which only proxies may send count. */
    public boolean trusts(String peer) {
        Address address = peer(peer);
        return address != null && trusts(address);
    }

    /**
     * The client's address as canonical text; the peer's own text if that is no address.
     *
     * @param peer the address at the other end of the connection
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
        return !lines.stream().allMatch(String::isBlank);
    }

    private Address walk(Address peer, List<String> lines, boolean forwarded) {
        Address last = peer;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i);
            int end = line.length();
            while (end >= 0) {
                int comma = forwarded ? ForwardedElement.commaBefore(line, end) : line.lastIndexOf(',', end - 1);
                String entry = line.substring(comma + 1, end);
                Address next = forwarded ? ForwardedElement.address(entry) : Node.address(entry.strip());
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
