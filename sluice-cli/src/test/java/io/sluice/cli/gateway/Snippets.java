package io.sluice.cli.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the snippets of {@code docs/guides/gateways.md} and the programs that run them. */
final class Snippets {
    private static final Path GATEWAYS = Path.of("..", "docs", "guides", "gateways.md");

    private Snippets() {}

    /** The snippet after a comment. */
    static String marked(String comment) {
        Pattern snippet =
                Pattern.compile("<!-- " + Pattern.quote(comment) + " -->\\R```\\w*\\R(.*?)```", Pattern.DOTALL);
        try {
            Matcher found = snippet.matcher(Files.readString(GATEWAYS));
            if (!found.find()) {
                throw new IllegalStateException(GATEWAYS + ": no snippet after: " + comment);
            }
            return found.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A snippet in which one line is replaced. */
    static String replaced(String snippet, String line, String other) {
        if (!snippet.contains(line)) {
            throw new IllegalStateException(GATEWAYS + ": no line " + line);
        }
        return snippet.replace(line, other);
    }

    static Path program(String name) {
        for (String directory :
                List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin")) {
            Path program = Path.of(directory, name);
            if (Files.isExecutable(program)) {
                return program;
            }
        }
        throw new IllegalStateException(
                "no " + name + " (expected: the system's package of that name; scripts/test installs it where it can)");
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
