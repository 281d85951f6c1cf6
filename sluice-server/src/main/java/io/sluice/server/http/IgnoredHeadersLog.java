package io.sluice.server.http;

import io.sluice.TimeSource;
import io.sluice.policy.Cidr;
import io.sluice.server.json.DisplayText;
import io.vertx.core.MultiMap;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/*
 * A gateway that is not trusted looks like a client: all requests have the address of the gateway and no tenant. Only this warning
 * tells the operator. It is not called for trusted peers. For others it reads only the names of the headers, and the clock only if
 * one of them matters.
 */
/** Warns about headers that are ignored because their peer is not trusted; at most once a minute. One for each server. */
final class IgnoredHeadersLog {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final int MAX_NAMES = 5;

    private final List<Cidr> trusted;
    private final OncePerMinute oncePerMinute;

    /** @param trusted the trusted proxies */
    IgnoredHeadersLog(List<Cidr> trusted, TimeSource time) {
        this.trusted = List.copyOf(trusted);
        this.oncePerMinute = new OncePerMinute(time);
    }

    /** @param peer a peer that is not trusted */
    void log(String peer, MultiMap headers) {
        if (hasAny(headers) && oncePerMinute.tryAcquire()) {
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
            String name = DisplayText.shortened(header.getKey(), 40);
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
        String more = names.size() > MAX_NAMES ? ", ..." : "";
        return "ignored on /v1/auth, because " + peer + " is not a trusted proxy: "
                + names.stream().limit(MAX_NAMES).collect(Collectors.joining(", ")) + more
                + " (to trust it: --trusted-proxies " + all + "; logged once a minute at most)";
    }
}
