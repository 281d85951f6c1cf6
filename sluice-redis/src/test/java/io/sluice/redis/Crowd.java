package io.sluice.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Several processes that share one Redis and use it at the same time. */
final class Crowd implements AutoCloseable {
    private static final int PROCESSES = 4;
    private static final int PATIENCE_SECONDS = 60;

    private final List<Member> members = new ArrayList<>();

    private record Member(Process process, BufferedReader answers, Path file) {}

    /**
     * The result of a rush.
     *
     * @param decided all allowed requests in order; with a lockout, the denied ones as well
     * @param denied the number of denied requests
     */
    record Outcome(List<Decided> decided, long denied) {}

    private Crowd() {}

    static Crowd start(String uri, Path directory) throws Exception {
        Crowd crowd = new Crowd();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                crowd.members.add(launch(uri, directory.resolve("decided-" + i)));
            }
            for (Member member : crowd.members) {
                assertThat(answer(member)).isEqualTo("ready");
            }
            return crowd;
        } catch (Exception | AssertionError e) {
            crowd.close();
            throw e;
        }
    }

    private static Member launch(String uri, Path file) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrowdProcess.class.getName(),
                        uri,
                        file.toString())
                .redirectError(Redirect.INHERIT)
                .start();
        return new Member(process, new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)), file);
    }

    /** Runs a rush in all processes and waits for the end. Fails if a call was answered without Redis. */
    Outcome rush(Rush rush) throws Exception {
        for (Member member : members) {
            OutputStream orders = member.process.getOutputStream();
            orders.write((rush.text() + "\n").getBytes(UTF_8));
            orders.flush();
        }
        long denied = 0;
        List<Decided> decided = new ArrayList<>();
        for (Member member : members) {
            String[] counts = answer(member).split(" ", -1);
            assertThat(counts[0]).as("%s: answers without Redis", rush.name()).isEqualTo("0");
            denied += Long.parseLong(counts[1]);
            decided.addAll(read(member.file));
        }
        decided.sort(Decided.ORDER);
        return new Outcome(decided, denied);
    }

    private static String answer(Member member) throws Exception {
        String answer = CompletableFuture.supplyAsync(() -> readLine(member)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return answer.isEmpty() ? "process " + member.process.pid() + " has ended" : answer;
    }

    private static String readLine(Member member) {
        try {
            String line = member.answers.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Decided> read(Path file) throws IOException {
        List<Decided> decided = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            for (long left = Files.size(file) / Decided.BYTES; left > 0; left--) {
                decided.add(Decided.read(in));
            }
        }
        assertThat(IntStream.range(1, decided.size())
                        .filter(i ->
                                decided.get(i - 1).micros() > decided.get(i).micros()))
                .as("times at which the machine's clock was set back, so that this run says nothing")
                .isEmpty();
        return decided;
    }

    @Override
    public void close() {
        members.forEach(member -> member.process.destroyForcibly());
        members.forEach(member -> member.process
                .onExit()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join());
    }
}
