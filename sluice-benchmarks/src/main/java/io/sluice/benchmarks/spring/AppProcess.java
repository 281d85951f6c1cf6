package io.sluice.benchmarks.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An application in a separate JVM, which ends with this one. All have the same JVM options. */
final class AppProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+)");
    private static final List<String> JVM_OPTIONS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-Xshare:auto");

    /** Tomcat would close each connection after 100 requests, and new connections would be measured too. */
    private static final String KEEP_CONNECTIONS = "--server.tomcat.max-keep-alive-requests=-1";

    private static final List<String> SETTINGS =
            List.of("--server.port=0", "--logging.level.root=warn", KEEP_CONNECTIONS);

    private final Process process;
    private int port;

    private AppProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts an application and waits until it listens.
     *
     * @param app the name of its directory
     * @param main the name of its main class, without {@code io.sluice.benchmarks.spring}
     * @param settings settings of Spring, such as {@code name=value}
     */
    static AppProcess start(AppDirectory apps, String app, String main, List<String> settings) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", apps.classPath(app), AppProcess.class.getPackageName() + "." + main));
        command.addAll(SETTINGS);
        settings.forEach(setting -> command.add("--" + setting));
        AppProcess started = new AppProcess(
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
        try {
            started.awaitListening(app);
            return started;
        } catch (IOException e) {
            started.close();
            throw e;
        }
    }

    private void awaitListening(String app) throws IOException {
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        StringBuilder printed = new StringBuilder();
        while (port == 0) {
            String line = out.readLine();
            if (line == null) {
                throw new IOException(app + " ended before it listened\n" + printed);
            }
            printed.append(line).append('\n');
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                port = Integer.parseInt(listening.group(1));
            }
        }
        // Nobody may wait because the pipe is full.
        Thread log = new Thread(() -> out.lines().forEach(System.err::println), "log of " + app);
        log.setDaemon(true);
        log.start();
    }

    int port() {
        return port;
    }

    /** The CPU time that the process has used. */
    Duration cpuTime() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("the CPU time of a process is not known on this machine"));
    }

    /** Checks that a request is answered, and that its limiter has seen it: the response has the header of the limiter. */
    AppProcess expectHeader(String path, String header) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header(GetCalls.KEY_HEADER, "first")
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200 || answer.headers().firstValue(header).isEmpty()) {
            close();
            throw new IOException(path + ": " + answer.statusCode() + " " + answer.headers()
                    + " (expected: 200 and the header " + header + ")");
        }
        return this;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
