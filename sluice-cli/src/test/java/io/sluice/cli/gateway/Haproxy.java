package io.sluice.cli.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts HAProxy with the snippet of {@code docs/guides/gateways.md}. */
final class Haproxy {
    private static final String OPEN = "  http-request return status 503 hdr Retry-After 1"
            + " if { var(txn.sluice) -m int lt 500 } !{ var(txn.sluice) -m int 200 }\n";

    private Haproxy() {}

    /** Starts HAProxy with a long timeout, for tests of decisions on a busy machine. */
    static Gateway start(Path directory, int sluice, int backend) throws IOException, InterruptedException {
        return start(directory, documented(Gateway.FailureMode.OPEN).replace("100ms", "20s"), sluice, backend);
    }

    /** Starts HAProxy exactly as documented. */
    static Gateway start(Path directory, Gateway.FailureMode mode, int sluice, int backend)
            throws IOException, InterruptedException {
        return start(directory, documented(mode), sluice, backend);
    }

    private static String documented(Gateway.FailureMode mode) {
        String open = Snippets.marked("HaproxyIT runs this");
        String closed = Snippets.marked("HaproxyIT runs this to fail closed");
        return mode == Gateway.FailureMode.OPEN ? open : Snippets.replaced(open, OPEN, closed);
    }

    private static Gateway start(Path directory, String snippet, int sluice, int backend)
            throws IOException, InterruptedException {
        return GatewayProcess.start(directory, (port, inner) -> {
            Path script = Files.writeString(
                    directory.resolve("sluice.lua"),
                    Snippets.marked("HaproxyIT runs this script")
                            .replace("127.0.0.1:8002", "127.0.0.1:" + inner)
                            .replace("timeout = 1000", "timeout = 20000"));
            Path file = Files.writeString(
                    directory.resolve("haproxy.cfg"),
                    snippet.replace("/etc/haproxy/sluice.lua", script.toString())
                            .replace("127.0.0.1:8000", "127.0.0.1:" + port)
                            .replace("127.0.0.1:8002", "127.0.0.1:" + inner)
                            .replace("127.0.0.1:8080", "127.0.0.1:" + sluice)
                            .replace("127.0.0.1:9000", "127.0.0.1:" + backend));
            return List.of(Snippets.program("haproxy").toString(), "-db", "-f", file.toString());
        });
    }
}
