package io.sluice.cli.image;

import io.sluice.cli.console.RunFailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the service and uses it a little, so that the JVM writes down which classes it loads: once in memory, and once with a
 * Redis that is away, because the client of Redis has many classes.
 */
final class TrainingRun {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Pattern LISTENING = Pattern.compile("^listening on (http|redis)://127\\.0\\.0\\.1:(\\d+)");
    private static final String CHECK = "{\"attributes\":{\"tenant\":\"acme\",\"path\":\"/api\"}}";

    /** A connection that begins with HTTP/2, as those of gRPC do: the preface and empty settings. */
    private static final String HTTP_2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";

    private final Path directory;
    private final List<String> jvm;
    private final String jar;
    private final Path work;

    /**
     * @param directory the working directory of the service
     * @param jvm the JVM and its options
     * @param work a directory for files
     */
    TrainingRun(Path directory, List<String> jvm, String jar, Path work) {
        this.directory = directory;
        this.jvm = jvm;
        this.jar = jar;
        this.work = work;
    }

    /** A file that lists the classes. */
    Path loadedClasses() throws IOException, InterruptedException {
        Set<String> classes = new LinkedHashSet<>();
        classes.addAll(run());
        // Nobody listens on this port.
        classes.addAll(run("--redis", "redis://127.0.0.1:1"));
        return Files.write(work.resolve("classes"), classes);
    }

    private List<String> run(String... options) throws IOException, InterruptedException {
        Path loaded = work.resolve("loaded");
        List<String> command = new ArrayList<>(jvm);
        command.addAll(List.of("-Xshare:off", "-XX:DumpLoadedClassList=" + loaded, "-jar", jar));
        command.addAll(List.of("serve", "--host", "127.0.0.1", "--port", "0", "--resp-port", "0"));
        command.addAll(List.of(options));
        Path log = work.resolve("log");
        ProcessBuilder builder = Tool.prepare(directory, command).redirectError(log.toFile());
        // As in the image; and without it the service would print a token.
        builder.environment().put("SLUICE_LOG_FORMAT", "json");
        builder.environment().put("SLUICE_ADMIN_TOKEN", "only-for-this-run-of-the-service");
        Process service = builder.start();
        try {
            use(service);
            service.toHandle().destroy();
            if (!service.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS) || service.exitValue() != 0) {
                throw new RunFailedException(
                        "the service does not stop: " + Files.readString(log).strip());
            }
        } catch (IOException e) {
            throw new RunFailedException("the service does not run here: " + e.getMessage() + ": "
                    + Files.readString(log).strip());
        } finally {
            service.destroyForcibly();
        }
        return Files.readAllLines(loaded).stream()
                .filter(line -> !line.contains(" source: "))
                .map(TrainingRun::withoutNumber)
                .toList();
    }

    /** A JVM from 19 on numbers the classes, and the numbers of two runs do not go together. */
    private static String withoutNumber(String line) {
        int number = line.indexOf(" id: ");
        return number < 0 ? line : line.substring(0, number);
    }

    private static void use(Process service) throws IOException {
        int http = 0;
        int resp = 0;
        BufferedReader lines = service.inputReader(StandardCharsets.UTF_8);
        while (http == 0 || resp == 0) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException("it has ended");
            }
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                int port = Integer.parseInt(listening.group(2));
                if (listening.group(1).equals("http")) {
                    http = port;
                } else {
                    resp = port;
                }
            }
        }
        for (int i = 0; i < 3; i++) {
            exchange(http, "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            exchange(
                    http,
                    "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                            + CHECK.length() + "\r\n\r\n" + CHECK);
            exchange(resp, "CL.THROTTLE key 10 10 60\r\nQUIT\r\n");
        }
        exchange(http, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        exchange(http, HTTP_2);
    }

    /** Sends a request, and waits for the first bytes of the answer. */
    private static void exchange(int port, String request) throws IOException {
        try (Socket socket = new Socket()) {
            int timeout = (int) TIMEOUT.toMillis();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeout);
            socket.setSoTimeout(timeout);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            if (in.read() < 0) {
                throw new IOException(
                        "it does not answer " + request.lines().findFirst().orElse(""));
            }
            in.skip(in.available());
        }
    }
}
