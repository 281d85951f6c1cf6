package io.sluice.cli;

import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice serve}: the service. */
@Command(
        name = "serve",
        description = "Decide for gateways and other languages: HTTP, Envoy RLS, RESP.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true)
final class ServeCommand implements Callable<Integer> {
    private final Stdio stdio;

    @Option(names = "--config", paramLabel = "FILE", description = "The policies.")
    private @Nullable Path policies;

    @Option(names = "--redis", paramLabel = "URI", description = "Count in Redis.")
    private @Nullable String redis;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Where to listen.", defaultValue = "127.0.0.1")
    private String host = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "For HTTP and gRPC.", defaultValue = "8080")
    private int port;

    @Option(names = "--resp-port", paramLabel = "PORT", description = "For RESP.", defaultValue = "6380")
    private int respPort;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Keeps what was put and counted without Redis.")
    private @Nullable Path dataDir;

    @Option(names = "--admin-token-file", paramLabel = "FILE", description = "Holds the token of who administers.")
    private @Nullable Path adminTokenFile;

    ServeCommand(Stdio stdio) {
        this.stdio = stdio;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        ServerConfig.Builder config =
                ServerConfig.builder().host(host).port(port).respPort(respPort);
        if (policies != null) {
            config.policies(policies);
        }
        if (redis != null) {
            config.redis(redis);
        }
        if (dataDir != null) {
            config.dataDir(dataDir);
        }
        String token = adminTokenFile == null
                ? System.getenv("SLUICE_ADMIN_TOKEN")
                : Files.readString(adminTokenFile).trim();
        if (token != null) {
            config.adminToken(token);
        }
        SluiceServer server = SluiceServer.start(config.build());
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        stdio.err().println("listening on http://" + host + ":" + server.port());
        if (server.respPort() >= 0) {
            stdio.err().println("listening on redis://" + host + ":" + server.respPort());
        }
        new CountDownLatch(1).await();
        return 0;
    }
}
