package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.policy.Cidr;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.ServerConfig;
import io.sluice.server.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    @TempDir
    Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static ServerConfig variable(String name, String value) {
        return Settings.read(Map.of(), null, Map.of(name, value)).config();
    }

    private static void assertRefused(Map<String, String> variables, String message) {
        assertThatThrownBy(() -> Settings.read(Map.of(), null, variables).config())
                .isInstanceOf(SettingException.class)
                .hasMessage(message);
    }

    @Test
    void noSettings_areTheDefaultsOfTheBuilder() {
        assertThat(Settings.read(Map.of(), null, Map.of()).config())
                .usingRecursiveComparison()
                .usingOverriddenEquals()
                .isEqualTo(ServerConfig.builder().build());
    }

    @Test
    void flag_winsOverVariable_overFile_overDefault() throws IOException {
        Path file = file("s.yaml", "port: 1\nhost: file\nresp-port: 2\n");
        Map<String, String> variables = Map.of("SLUICE_PORT", "3", "SLUICE_HOST", "variable");

        ServerConfig config =
                Settings.read(Map.of(Setting.PORT, "4"), file, variables).config();

        assertThat(config.port()).isEqualTo(4);
        assertThat(config.host()).isEqualTo("variable");
        assertThat(config.respPort()).isEqualTo(2);
        assertThat(config.redisPrefix()).isEqualTo("sluice");
    }

    @Test
    void everySetting_canBeSetInTheFile() throws IOException {
        Path token = file("token", "top secret\n");
        Path file = file("s.yaml", """
                config: p.yaml
                redis: redis://:password@localhost/3
                redis-prefix: other
                max-keys: 12
                data-dir: data
                snapshot-every: 100ms
                host: "::1"
                port: 0
                resp-port: off
                tls-cert: c.pem
                tls-key: k.pem
                max-connections: 13
                max-connections-per-address: 3
                idle-timeout: 5m
                admin-token-file: %s
                resp-password: secret
                resp-auth-timeout: 3s
                trusted-proxies: [10.0.0.0/8, "::1"]
                webhook-hosts: [Hooks.example.com, 10.0.0.0/8]
                metrics: admin
                legacy-headers: true
                latency-histogram: true
                stop-deadline: 1s
                max-call-period: 400d
                log-format: json
                """.formatted(token));

        Settings settings = Settings.read(Map.of(), file, Map.of());

        assertThat(settings.logsJson()).isTrue();
        assertThat(settings.config())
                .usingRecursiveComparison()
                .usingOverriddenEquals()
                .isEqualTo(ServerConfig.builder()
                        .policies(Path.of("p.yaml"))
                        .redis("redis://:password@localhost/3")
                        .redisPrefix("other")
                        .maxKeys(12)
                        .dataDir(Path.of("data"))
                        .snapshotEvery(Duration.ofMillis(100))
                        .host("::1")
                        .port(0)
                        .respPort(-1)
                        .tls(Path.of("c.pem"), Path.of("k.pem"))
                        .maxConnections(13)
                        .maxConnectionsPerAddress(3)
                        .idleTimeout(Duration.ofMinutes(5))
                        .adminToken("top secret")
                        .respPassword("secret")
                        .respAuthTimeout(Duration.ofSeconds(3))
                        .trusted(List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("::1")))
                        .webhookHosts(new WebhookHosts(List.of("hooks.example.com", "10.0.0.0/8")))
                        .openMetrics(false)
                        .legacyHeaders(true)
                        .latencyHistogram(true)
                        .stopDeadline(Duration.ofSeconds(1))
                        .maxCallPeriod(Duration.ofDays(400))
                        .build());
    }

    @Test
    void variableOfTheSettingsFile_namesIt() throws IOException {
        Path file = file("s.yaml", "port: 7\n");

        assertThat(variable("SLUICE_SETTINGS", file.toString()).port()).isEqualTo(7);
    }

    @Test
    void secret_mayBeAVariable() {
        assertThat(variable("SLUICE_ADMIN_TOKEN", "t").adminToken()).isEqualTo("t");
        assertThat(variable("SLUICE_RESP_PASSWORD", "p").respPassword()).isEqualTo("p");
        assertThat(variable("SLUICE_REDIS", "redis://r").redis()).isEqualTo("redis://r");
    }

    @Test
    void emptyVariable_isNotSet() {
        assertThat(variable("SLUICE_REDIS", "").redis()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SLUICE_PORT|80a|a port: 0 to 65535",
                "SLUICE_PORT|65536|a port: 0 to 65535",
                "SLUICE_PORT|-1|a port: 0 to 65535",
                "SLUICE_RESP_PORT|on|a port: 0 to 65535, or off",
                "SLUICE_MAX_KEYS|0|a whole number, 1 to 2147483647",
                "SLUICE_MAX_CONNECTIONS|0|a whole number, 1 to 2147483647",
                "SLUICE_MAX_CONNECTIONS_PER_ADDRESS|many|a whole number, 1 to 2147483647",
                "SLUICE_IDLE_TIMEOUT|10|a time of 1ms to 1d, such as 500ms, 10s or 5m",
                "SLUICE_IDLE_TIMEOUT|10 s|a time of 1ms to 1d, such as 500ms, 10s or 5m",
                "SLUICE_STOP_DEADLINE|0s|a time of 1ms to 1d, such as 500ms, 10s or 5m",
                "SLUICE_SNAPSHOT_EVERY|2d|a time of 1ms to 1d, such as 500ms, 10s or 5m",
                "SLUICE_MAX_CALL_PERIOD|10001d|a time of 1ms to 10000d, such as 1h or 31d",
                "SLUICE_METRICS|closed|open or admin",
                "SLUICE_LEGACY_HEADERS|yes|true or false",
                "SLUICE_LOG_FORMAT|xml|text or json",
                "SLUICE_TRUSTED_PROXIES|10.0.0.0/8,x|networks such as 10.0.0.0/8,2001:db8::/32, or none",
            })
    void invalidValue_isRefusedWithItsPlace(String variable, String value, String expected) throws IOException {
        assertRefused(Map.of(variable, value), variable + " \"" + value + "\" (expected: " + expected + ")");
        Setting setting = Setting.valueOf(variable.substring("SLUICE_".length()));
        Path file = file("bad.yaml", "# a comment\n" + setting.key() + ": \"" + value + "\"\n");
        assertThatThrownBy(() -> Settings.read(Map.of(), file, Map.of()).config())
                .hasMessage(file + ":2: " + setting.key() + " \"" + value + "\" (expected: " + expected + ")");
        assertThatThrownBy(() ->
                        Settings.read(Map.of(setting, value), null, Map.of()).config())
                .hasMessage("--" + setting.key() + " \"" + value + "\" (expected: " + expected + ")");
    }

    @Test
    void invalidRedisUri_isRefused_withoutItsPassword() {
        assertRefused(
                Map.of("SLUICE_REDIS", "redsi://:hunter2@x"),
                "SLUICE_REDIS *** (expected: redis://[[user]:password@]host[:port][/database], rediss://...,"
                        + " or redis-sentinel://host[:port][,host...]#master)");
    }

    @Test
    void invalidSecretFile_isRefused() throws IOException {
        Path none = directory.resolve("none");
        Path empty = file("empty", "\n");
        assertRefused(
                Map.of("SLUICE_ADMIN_TOKEN_FILE", none.toString()),
                "SLUICE_ADMIN_TOKEN_FILE " + none + ": no such file (expected: a file that can be read)");
        assertThatThrownBy(() -> variable("SLUICE_RESP_PASSWORD_FILE", empty.toString()))
                .hasMessageEndingWith("(expected: a file with one line of text)");
    }

    @Test
    void alternatives_fromOneSource_areRefused_elseTheHigherSourceWins() throws IOException {
        assertThatThrownBy(() -> Settings.read(Map.of(Setting.CONFIG, "p", Setting.ENVOY_CONFIG, "d"), null, Map.of()))
                .hasMessage("--config and --envoy-config (expected: one of them)");
        assertRefused(
                Map.of("SLUICE_REDIS", "redis://a", "SLUICE_REDIS_FILE", "f"),
                "SLUICE_REDIS and SLUICE_REDIS_FILE (expected: one of them)");
        ServerConfig config = Settings.read(Map.of(Setting.ENVOY_CONFIG, "d"), null, Map.of("SLUICE_CONFIG", "p.yaml"))
                .config();
        assertThat(config.policies()).isNull();
        assertThat(config.envoyConfig()).isEqualTo(Path.of("d"));
    }

    @Test
    void certificateWithoutKey_isRefused() {
        assertRefused(Map.of("SLUICE_TLS_CERT", "c"), "tls-cert without tls-key (expected: both, or none)");
        assertRefused(Map.of("SLUICE_TLS_KEY", "k"), "tls-key without tls-cert (expected: both, or none)");
    }

    @Test
    void file_withAnUnknownSetting_isRefusedWithTheNearestName() throws IOException {
        assertFileRefused("port: 1\nprot: 2\n", ":2: \"prot\" is not a setting (did you mean: port?)");
        assertFileRefused("port: 1\nport: 2\n", ":2: port is set twice (expected: once)");
        assertFileRefused("port:\n", ":1: port has no value (expected: PORT)");
        assertFileRefused("port: [1]\n", ":1: port has no value (expected: PORT)");
        assertFileRefused("- port\n", ":1: not a mapping (expected: settings such as port: 8080)");
        assertFileRefused("port: 'x\n", ":1: not YAML: the quote is not closed (expected: the same quote at the end");
        assertFileRefused("port: {\n", ":2: not YAML: the file ends inside a list or mapping");
        assertFileRefused("port: 1\n\thost: a\n", ":2: not YAML: a tab");
        assertThatThrownBy(() -> Settings.read(Map.of(), directory.resolve("none"), Map.of()))
                .hasMessageEndingWith("none: no such file (expected: a file of settings, in YAML)");
    }

    private void assertFileRefused(String text, String problem) throws IOException {
        Path file = file("s.yaml", text);
        assertThatThrownBy(() -> Settings.read(Map.of(), file, Map.of()))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith(file + problem);
    }

    @Test
    void unknownVariable_causesAWarning() {
        Settings settings = Settings.read(
                Map.of(),
                null,
                Map.of("SLUICE_PROT", "1", "SLUICE_WHATEVER_ELSE", "1", "SLUICE_DEBUG", "1", "PATH", "x"));

        assertThat(settings.warnings())
                .containsExactly(
                        "SLUICE_PROT is not a setting and is ignored (did you mean: SLUICE_PORT?)",
                        "SLUICE_WHATEVER_ELSE is not a setting and is ignored");
    }

    /** Kubernetes sets these in every pod beside a service called sluice. */
    @Test
    void variablesOfKubernetesServices_areIgnored() {
        Settings settings = Settings.read(
                Map.of(),
                null,
                Map.of(
                        "SLUICE_PORT",
                        "tcp://10.0.0.1:8080",
                        "SLUICE_PORT_8080_TCP_ADDR",
                        "10.0.0.1",
                        "SLUICE_SERVICE_HOST",
                        "10.0.0.1",
                        "SLUICE_SERVICE_PORT_HTTP",
                        "8080"));

        assertThat(settings.warnings()).isEmpty();
        assertThat(settings.config().port()).isEqualTo(8080);
    }

    @Test
    void print_namesTheSourceOfEachSetting_andHidesSecrets() throws IOException {
        Path file = file("s.yaml", "host: 0.0.0.0\n");

        String printed = Settings.read(
                        Map.of(Setting.PORT, "9090", Setting.REDIS, "redis://:hunter2@h:1/2"),
                        file,
                        Map.of("SLUICE_ADMIN_TOKEN", "hunter3", "SLUICE_METRICS", "admin"))
                .print();

        assertThat(printed)
                .containsPattern("(?m)^port: 9090 +# --port$")
                .containsPattern("(?m)^metrics: admin +# SLUICE_METRICS$")
                .containsPattern("(?m)^host: 0.0.0.0 +# .*s.yaml:1$")
                .containsPattern("(?m)^idle-timeout: 60s +# default$")
                .containsPattern("(?m)^# admin-token: \"\\*\\*\\*\" +# SLUICE_ADMIN_TOKEN$")
                .containsPattern("(?m)^# redis: \"redis://\\*\\*\\*@h:1/2\" +# --redis$")
                .containsPattern("(?m)^# data-dir: +# not set$")
                .doesNotContain("hunter");
    }

    @Test
    void print_isAFileWithTheSameSettings() throws IOException {
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        flags.put(Setting.CONFIG, "a \"strange\" näme: #1.yaml");
        flags.put(Setting.REDIS, "redis://h:1/2");
        flags.put(Setting.PORT, "0");
        flags.put(Setting.RESP_PORT, "off");
        flags.put(Setting.HOST, "::1");
        flags.put(Setting.TRUSTED_PROXIES, "none");
        flags.put(Setting.LEGACY_HEADERS, "true");
        flags.put(Setting.DATA_DIR, "~/x y");
        Settings settings = Settings.read(flags, null, Map.of());

        Settings again = Settings.read(Map.of(), file("printed.yaml", settings.print()), Map.of());

        assertThat(again.config())
                .usingRecursiveComparison()
                .usingOverriddenEquals()
                .isEqualTo(settings.config());
    }
}
