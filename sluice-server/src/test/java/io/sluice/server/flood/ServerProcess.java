package io.sluice.server.flood;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The process of a {@link FloodedServer}. It has little memory, so that an attack on its memory shows soon. */
final class ServerProcess implements AutoCloseable {
    private static final List<String> JVM =
            List.of("-Xmx96m", "-XX:MaxDirectMemorySize=96m", "-XX:+ExitOnOutOfMemoryError");

    private final Process process;
    private final BufferedReader out;
    final int http;
    final int resp;

    private ServerProcess(Process process) throws IOException {
        this.process = process;
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        long[] ports = numbers();
        http = (int) ports[0];
        resp = (int) ports[1];
    }

    static ServerProcess start() throws IOException {
        List<String> command = new java.util.ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FloodedServer.class.getName()));
        return new ServerProcess(
                new ProcessBuilder(command).redirectError(Redirect.DISCARD).start());
    }

    /** The used bytes of its heap and of its direct buffers. */
    long[] memory() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return numbers();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private long[] numbers() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the server has ended");
        }
        return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
