package io.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.benchmarks.load.Case;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.ClosedLoopLoad;
import io.sluice.benchmarks.load.Contestant;
import io.sluice.benchmarks.load.Executables;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Measurement;
import io.sluice.benchmarks.load.Wrk;
import io.sluice.testkit.redis.RedisProcess;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts the servers and creates the contestants of each case. */
final class ServerContestants implements AutoCloseable {
    static final String HTTP = "http-check";
    static final String RESP = "resp-throttle";
    static final String GRPC = "grpc-rls";
    static final String MILLION_KEYS = "resp-check-1000000-keys";
    static final String HEAP = "heap-mb-1000000-keys";
    static final List<String> CASES = List.of(HTTP, RESP, GRPC, MILLION_KEYS);

    static final String BARE = "bare Vert.x";
    static final String NGINX = "nginx limit_req";
    static final String REDIS = "Redis with Lua";
    static final String THOUSAND_KEYS = "Sluice with 1000 keys";
    static final String BOUND = "bound";
    static final double MOST_HEAP_MB = 300;

    private static final String SLUICE = "Sluice";
    private static final int MILLION = 1_000_000;
    private static final int HTTP_CONNECTIONS = 64;
    private static final int GRPC_CONNECTIONS = 4;
    private static final int GRPC_STREAMS = 64;

    /** No request is denied, and no key becomes fresh during the run. */
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: per-tenant, key: [tenant], limit: 1000/d burst 10000000 }
            """;

    private static final String CHECK =
            "{\"attributes\":{\"tenant\":\"TENANT\",\"path\":\"/api/orders\"},\"permits\":1}";
    private static final List<String> THROTTLE =
            List.of("CL.THROTTLE", "bench:__rand_int__", "10000000", "1000", "86400");
    private static final List<String> SLUICE_CHECK = List.of("SLUICE.CHECK", "1", "tenant", "bench:__rand_int__");

    private final Path directory;
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final ServerProcess sluice;
    private final ServerProcess bare;

    ServerContestants() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("sluice-bench");
        try {
            Path policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
            Files.writeString(directory.resolve("checks.lua"), Lua.checks(CHECK));
            Files.write(directory.resolve("rls.bin"), framed(RlsCalls.request(1)));
            sluice = open(ServerProcess.start(
                    io.sluice.cli.Main.class,
                    2,
                    "serve",
                    "--port",
                    "0",
                    "--resp-port",
                    "0",
                    // The cap that follows from the heap is below a million.
                    "--max-keys",
                    "2000000",
                    "--config",
                    policies.toString()));
            bare = open(ServerProcess.start(BareServer.class, 1, Integer.toString(answerBytes())));
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T open(T part) {
        parts.add(part);
        return part;
    }

    private static byte[] framed(Buffer message) {
        return Buffer.buffer()
                .appendByte((byte) 0)
                .appendInt(message.length())
                .appendBuffer(message)
                .getBytes();
    }

    /** The size of a response to a check, with its headers. */
    private int answerBytes() throws IOException, InterruptedException {
        HttpRequest check = HttpRequest.newBuilder(URI.create(uri(sluice.port())))
                .POST(HttpRequest.BodyPublishers.ofString(CHECK))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(check, HttpResponse.BodyHandlers.ofString(UTF_8));
        if (answer.statusCode() != 200) {
            throw new IOException("/v1/check: " + answer.statusCode() + " " + answer.body());
        }
        int head = "HTTP/1.1 200 OK\r\n\r\n".length()
                + answer.headers().map().entrySet().stream()
                        .mapToInt(field -> field.getKey().length()
                                + field.getValue().get(0).length()
                                + 4)
                        .sum();
        return head + answer.body().length();
    }

    private static String uri(int port) {
        return "http://127.0.0.1:" + port + "/v1/check";
    }

    /** Creates one of {@link #CASES}. */
    Case of(String name) throws IOException, InterruptedException {
        return switch (name) {
            case HTTP -> http();
            case RESP -> resp();
            case GRPC -> grpc();
            case MILLION_KEYS -> {
                fill();
                yield new Case(
                        name,
                        new Contestant(SLUICE, "1,000,000 keys", checks(MILLION)),
                        List.of(new Contestant(THOUSAND_KEYS, "1,000 keys", checks(1000))));
            }
            default -> throw new IllegalArgumentException(name + " (expected: one of " + CASES + ")");
        };
    }

    private Case http() throws IOException, InterruptedException {
        List<Contestant> peers = new ArrayList<>();
        peers.add(new Contestant(BARE, "HTTP", http(bare.port())));
        Optional<Path> nginx = Executables.find(Nginx.NAME);
        if (nginx.isPresent()) {
            Nginx limiting = open(Nginx.start(nginx.get(), directory, answerBytes() / 2));
            peers.add(new Contestant(NGINX, "HTTP", http(limiting.port())));
        }
        return new Case(HTTP, new Contestant(SLUICE, "HTTP", http(sluice.port())), peers);
    }

    private Load http(int port) {
        return Executables.find(Wrk.NAME)
                .<Load>map(command -> new Wrk(command, directory.resolve("checks.lua"), HTTP_CONNECTIONS, uri(port)))
                .orElseGet(() -> {
                    HttpCalls calls = open(new HttpCalls(HTTP_CONNECTIONS, CHECK));
                    return new ClosedLoopLoad(HTTP_CONNECTIONS, chain -> calls.call(port));
                });
    }

    private Case resp() {
        RedisProcess redis = open(RedisProcess.start("--save", ""));
        String digest = redis.command("SCRIPT", "LOAD", Lua.THROTTLE);
        List<String> script = List.of("EVALSHA", digest, "1", "bench:__rand_int__", "10000000", "1000", "86400");
        return new Case(
                RESP,
                new Contestant(SLUICE, "RESP", RespLoads.on(sluice.respPort(), 1000, 400_000, 6, THROTTLE)),
                List.of(new Contestant(REDIS, "RESP", RespLoads.on(redis.port(), 1000, 100_000, 6, script))));
    }

    private Case grpc() {
        return new Case(
                GRPC,
                new Contestant(SLUICE, "gRPC", grpc(sluice.port())),
                List.of(new Contestant(BARE, "gRPC", grpc(bare.port()))));
    }

    private Load grpc(int port) {
        return Executables.find(H2Load.NAME)
                .<Load>map(command -> new H2Load(
                        command,
                        directory.resolve("rls.bin"),
                        GRPC_CONNECTIONS,
                        GRPC_STREAMS,
                        "http://127.0.0.1:" + port + RlsCalls.PATH))
                .orElseGet(() -> {
                    RlsCalls calls = open(new RlsCalls(GRPC_CONNECTIONS, GRPC_STREAMS));
                    Buffer request = RlsCalls.request(1);
                    return new ClosedLoopLoad(GRPC_CONNECTIONS * GRPC_STREAMS, chain -> calls.call(port, request));
                });
    }

    private Load checks(int keys) {
        return RespLoads.on(sluice.respPort(), keys, 400_000, 4, SLUICE_CHECK);
    }

    /** Uses a million keys once. */
    private void fill() throws IOException {
        try (PipelinedSocket socket = new PipelinedSocket(sluice.respPort())) {
            for (int from = 0; from < MILLION; from += 100) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int i = from; i < from + 100; i++) {
                    bytes.writeBytes(RespLoads.command(SLUICE_CHECK, i));
                }
                socket.exchange(bytes.toByteArray(), 100 * 4);
            }
        }
    }

    /** Measures the heap of a server with a million keys. */
    CaseResult heap() throws IOException {
        fill();
        double megabytes = sluice.heapUsed() / 1e6;
        return new CaseResult(
                HEAP, new Measurement(SLUICE, megabytes, null), List.of(new Measurement(BOUND, MOST_HEAP_MB, null)));
    }

    @Override
    public void close() {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                System.err.println("while closing: " + e);
            }
        }
        Directories.delete(directory);
    }
}
