package io.sluice.server.flood;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.util.internal.PlatformDependent;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** A server in its own JVM. It prints its memory use for each line of standard input, and stops at the end of the input. */
final class FloodedServer {
    private FloodedServer() {}

    public static void main(String[] args) throws IOException {
        try (SluiceServer server =
                SluiceServer.start(ServerConfig.builder().port(0).respPort(0).build())) {
            System.out.println(server.port() + " " + server.respPort());
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            while (in.readLine() != null) {
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                long heap = runtime.totalMemory() - runtime.freeMemory();
                System.out.println(heap + " " + Math.max(0, PlatformDependent.usedDirectMemory()));
            }
        }
    }
}
