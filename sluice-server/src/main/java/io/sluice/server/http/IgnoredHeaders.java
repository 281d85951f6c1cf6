package io.sluice.server.http;

import io.sluice.TimeSource;
import io.sluice.policy.Cidr;
import io.sluice.server.json.Shown;
import io.vertx.core.MultiMap;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/*
 * A gateway that is not trusted looks like a client: all requests have the gateway's address, and no tenant. Nothing else says
 * so. A trusted peer never comes here. Of another one only the names of the headers are read, and the clock only if one of
 * them matters.
 */
/** Warns of headers that do not count because their peer is not trusted; once a minute at most. One for each server. */
final class IgnoredHeaders {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    /** Names in one line. */
    private static final int MOST = 5;

    private final List<Cidr> trusted;
    private final OnceAMinute due;

    /** @param trusted the proxies whose headers count */
    IgnoredHeaders(List<Cidr> trusted, TimeSource time) {
        this.trusted = List.copyOf(trusted);
        this.due = new OnceAMinute(time);
    }

    /** @param peer one that is not trusted */
    void of(String peer, MultiMap headers) {
        if (hasAny(headers) && due.now()) {
            LOG.log(Level.WARNING, text(peer, names(headers)));
        }
    }

    private static boolean hasAny(MultiMap headers) {
        for (Map.Entry<String, String> header : headers) {
            if (isForProxies(header.getKey())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isForProxies(String name) {
        return switch (name.isEmpty() ? ' ' : name.charAt(0)) {
            case 'x', 'X' ->
                beginsWith("x-forwarded-", name)
                        || beginsWith("x-sluice-", name)
                        || name.equalsIgnoreCase("x-original-uri")
                        || name.equalsIgnoreCase("x-original-method");
            case 'f', 'F' -> name.equalsIgnoreCase("forwarded");
            default -> false;
        };
    }

    private static boolean beginsWith(String prefix, String name) {
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    private static List<String> names(MultiMap headers) {
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, String> header : headers) {
            String name = Shown.shortened(header.getKey(), 40);
            if (isForProxies(name) && !names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    private String text(String peer, List<String> names) {
        int zone = peer.indexOf('%');
        String address = zone < 0 ? peer : peer.substring(0, zone);
        String all = Stream.concat(trusted.stream().map(Cidr::toString), Stream.of(address))
                .collect(Collectors.joining(","));
        String more = names.size() > MOST ? ", ..." : "";
        return "ignored on /v1/auth, because " + peer + " is not a trusted proxy: "
                + names.stream().limit(MOST).collect(Collectors.joining(", ")) + more
                + " (to trust it: --trusted-proxies " + all + "; this is told once a minute at most)";
    }
}
