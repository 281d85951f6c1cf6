package io.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;

/** Published Redis clients against the packaged service. */
class RespClientsIT {
    private static final String POLICIES = """
            version: 1
            policies:
              - name: per-tenant
                key: [tenant]
                limit: 2 per 1h
            """;

    private static final Asked THROTTLE = new Asked("CL.THROTTLE");
    private static final Asked CHECK = new Asked("SLUICE.CHECK");

    /** A command that the clients do not know. */
    private record Asked(String command) implements ProtocolKeyword, ProtocolCommand {
        @Override
        public byte[] getBytes() {
            return command.getBytes(UTF_8);
        }

        @Override
        public byte[] getRaw() {
            return getBytes();
        }
    }

    @TempDir
    static Path directory;

    private static ServerProcess server;

    @BeforeAll
    static void start() throws IOException {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        server = ServerProcess.start("--config", policies.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = ProtocolVersion.class,
            names = {"RESP2", "RESP3"})
    void lettuce_inBothProtocols_works(ProtocolVersion version) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", server.respPort()));
        client.setOptions(ClientOptions.builder().protocolVersion(version).build());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            assertThat(connection.sync().ping()).isEqualTo("PONG");
            String key = "lettuce " + version;
            assertThat(lettuce(connection, THROTTLE, key, "15", "30", "60")).isEqualTo(List.of(0L, 16L, 15L, -1L, 2L));
            assertThat(lettuce(connection, CHECK, "2", "tenant", key)).isEqualTo(List.of(1L, 0L, 0L));
            assertThat(lettuce(connection, CHECK, "1", "tenant", key))
                    .hasSize(4)
                    .endsWith("per-tenant");
            List<RedisFuture<List<Object>>> many = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                many.add(dispatch(connection, THROTTLE, key + " many", "999", "1", "3600"));
            }
            for (int i = 0; i < 1000; i++) {
                assertThat(many.get(i).toCompletableFuture().join()).startsWith(0L, 1000L, 999L - i);
            }
            assertThatThrownBy(() -> lettuce(connection, THROTTLE, key, "x", "1", "1"))
                    .hasRootCauseInstanceOf(RedisCommandExecutionException.class)
                    .hasRootCauseMessage("ERR Cell error: Couldn't parse as integer: x");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    private static List<Object> lettuce(
            StatefulRedisConnection<String, String> connection, Asked asked, String... rest) {
        return dispatch(connection, asked, rest).toCompletableFuture().join();
    }

    private static RedisFuture<List<Object>> dispatch(
            StatefulRedisConnection<String, String> connection, Asked asked, String... rest) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8).addValues(rest);
        return connection.async().dispatch(asked, new NestedMultiOutput<>(StringCodec.UTF8), arguments);
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void jedis_inBothProtocols_works(RedisProtocol protocol) {
        HostAndPort address = new HostAndPort("127.0.0.1", server.respPort());
        DefaultJedisClientConfig config = DefaultJedisClientConfig.builder()
                .protocol(protocol)
                .clientName("me")
                .build();
        String key = "jedis " + protocol;
        try (Jedis jedis = new Jedis(address, config)) {
            assertThat(jedis.ping()).isEqualTo("PONG");
            assertThat(jedis.clientGetname()).isEqualTo("me");
            assertThat(jedis.sendCommand(THROTTLE, key, "15", "30", "60")).isEqualTo(List.of(0L, 16L, 15L, -1L, 2L));
            assertThat(jedis.sendCommand(CHECK, "1", "tenant", key)).isEqualTo(List.of(1L, 0L, 0L));
            assertThatThrownBy(() -> jedis.sendCommand(new Asked("NO.SUCH"), "a"))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessage("ERR unknown command 'NO.SUCH', with args beginning with: 'a' ");
            Pipeline pipeline = jedis.pipelined();
            for (int i = 0; i < 1000; i++) {
                pipeline.sendCommand(THROTTLE, key + " many", "999", "1", "3600");
            }
            List<Object> replies = pipeline.syncAndReturnAll();
            for (int i = 0; i < 1000; i++) {
                assertThat(replies.get(i)).asString().startsWith("[0, 1000, " + (999 - i) + ", -1, ");
            }
        }
        try (JedisPooled pool = new JedisPooled(address, config)) {
            assertThat(pool.sendCommand(THROTTLE, key, "15", "30", "60", "0"))
                    .asString()
                    .startsWith("[0, 16, ");
        }
    }

    @Test
    void redisCli_inBothProtocols_works() throws IOException, InterruptedException {
        assumeTrue(isInstalled("redis-cli"), "redis-cli is not installed");
        assertThat(run("redis-cli", "CL.THROTTLE", "cli", "15", "30", "60"))
                .containsExactly("0", "16", "15", "-1", "2");
        assertThat(run("redis-cli", "-3", "CL.THROTTLE", "cli 3", "15", "30", "60"))
                .containsExactly("0", "16", "15", "-1", "2");
        assertThat(run("redis-cli", "SLUICE.CHECK", "3", "tenant", "cli"))
                .containsExactly("0", "-1", "0", "per-tenant");
        assertThat(run("redis-cli", "CL.THROTTLE", "cli", "x", "30", "60"))
                .contains("ERR Cell error: Couldn't parse as integer: x");
        assertThat(run("redis-cli", "COMMAND", "DOCS", "PING")).contains("ping", "summary");
    }

    @Test
    void redisBenchmark_startsAndEndsWithoutComplaint() throws IOException, InterruptedException {
        assumeTrue(isInstalled("redis-benchmark"), "redis-benchmark is not installed");
        List<String> printed = run(
                "redis-benchmark",
                "-c",
                "10",
                "-P",
                "16",
                "-n",
                "10000",
                "-r",
                "100",
                "-q",
                "CL.THROTTLE",
                "key:__rand_int__",
                "15",
                "30",
                "60");
        assertThat(printed).last().asString().contains("requests per second");
        assertThat(String.join("\n", printed))
                .doesNotContainIgnoringCase("error")
                .doesNotContainIgnoringCase("warning");
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    /** Runs a program of Redis and returns the lines of its output. */
    private static List<String> run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program, "-p", "" + server.respPort()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return printed.lines()
                .flatMap(line -> Stream.of(line.split("\r")))
                .filter(line -> !line.isBlank())
                .toList();
    }
}
