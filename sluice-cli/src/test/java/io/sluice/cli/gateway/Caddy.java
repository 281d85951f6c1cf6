package io.sluice.cli.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts Caddy with the snippet of {@code docs/guides/gateways.md}. */
final class Caddy {
    private static final String AROUND = """
            {
              admin off
              auto_https off
            }
            """;

    /** The hash of the password "secret", at the lowest cost. */
    private static final String SECRET = "$2a$04$stl4H9Pk22l9E1UkTnFHV.1jM6cM6NMGzZTLDd5apQNoKFPFVnzCe";

    private Caddy() {}

    /** Starts Caddy with a long timeout, for tests of decisions on a busy machine. */
    static Gateway start(Path directory, int sluice, int backend) throws IOException, InterruptedException {
        return start(directory, documented(Gateway.FailureMode.OPEN).replace("100ms", "20s"), sluice, backend);
    }

    /** Starts Caddy exactly as documented. */
    static Gateway start(Path directory, Gateway.FailureMode mode, int sluice, int backend)
            throws IOException, InterruptedException {
        return start(directory, documented(mode), sluice, backend);
    }

    private static String documented(Gateway.FailureMode mode) {
        String open = Snippets.marked("CaddyIT runs this");
        String closed = Snippets.marked("CaddyIT runs this to fail closed");
        return mode == Gateway.FailureMode.OPEN
                ? open
                : Snippets.replaced(open, "    forward_auth 127.0.0.1:8080 127.0.0.1:8001 {\n", closed);
    }

    private static Gateway start(Path directory, String snippet, int sluice, int backend)
            throws IOException, InterruptedException {
        return GatewayProcess.start(directory, (port, inner) -> {
            Path file = Files.writeString(
                    directory.resolve("Caddyfile"),
                    AROUND
                            + snippet.replace("http://api.example.com:8000", "http://127.0.0.1:" + port)
                                    .replace("127.0.0.1:8001", "127.0.0.1:" + inner)
                                    .replace("127.0.0.1:8080", "127.0.0.1:" + sluice)
                                    .replace("127.0.0.1:9000", "127.0.0.1:" + backend)
                                    .replace("$2a$04$...", SECRET));
            String caddy = Snippets.program("caddy").toString();
            return List.of(caddy, "run", "--config", file.toString(), "--adapter", "caddyfile");
        });
    }
}
