package io.sluice.server.settings;

import io.sluice.server.ServerConfig;
import io.sluice.server.SettingException;
import io.sluice.server.settings.Given.From;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a server is told, by flags, by the environment and by a file. A flag counts before a variable, that before the file,
 * and that before the default.
 *
 * <pre>{@code
 * Settings settings = Settings.read(Map.of(Setting.PORT, "0"), null, System.getenv());
 * SluiceServer.start(settings.config());
 * }</pre>
 */
public final class Settings {
    private final Map<Setting, Given> given = new EnumMap<>(Setting.class);
    private final List<String> warnings;
    private final Values values;

    private Settings(Map<Setting, String> flags, @Nullable Path file, Map<String, String> variables) {
        Environment environment = new Environment(variables);
        for (Setting setting : Setting.values()) {
            setting.byDefault()
                    .ifPresent(text -> given.put(setting, new Given(setting, text, From.DEFAULT, "default")));
        }
        Path read = file == null ? named(environment.file) : file;
        if (read != null) {
            given.putAll(SettingsFile.read(read));
        }
        given.putAll(environment.given);
        flags.forEach((setting, text) -> given.put(
                setting, new Given(setting, text, From.FLAG, setting.flag().orElseThrow())));
        Setting.ALTERNATIVES.forEach(this::choose);
        values = new Values(given);
        warnings = Stream.concat(environment.warnings.stream(), Secrets.warnings(given, read).stream())
                .toList();
    }

    /**
     * Reads all there is.
     *
     * @param file the file of settings; null for that of {@code SLUICE_SETTINGS}, if any
     * @throws SettingException if the file cannot be read, or says what there is not
     */
    public static Settings read(Map<Setting, String> flags, @Nullable Path file, Map<String, String> variables) {
        return new Settings(flags, file, variables);
    }

    private static @Nullable Path named(@Nullable String file) {
        try {
            return file == null || file.isEmpty() ? null : Path.of(file);
        } catch (InvalidPathException e) {
            throw new SettingException("SLUICE_SETTINGS: " + e.getMessage() + " (expected: the name of a file)");
        }
    }

    /** Of those that exclude each other, the one that ranks highest counts. */
    private void choose(List<Setting> alternatives) {
        Given chosen = null;
        for (Setting setting : alternatives) {
            Given one = given.get(setting);
            if (one == null) {
                continue;
            }
            if (chosen != null && chosen.from() == one.from()) {
                throw new SettingException(name(chosen) + " and " + name(one) + " (expected: one of them)");
            }
            if (chosen == null || chosen.from().compareTo(one.from()) < 0) {
                chosen = one;
            }
        }
        Given kept = chosen;
        given.values().removeIf(one -> alternatives.contains(one.setting()) && !one.equals(kept));
    }

    private static String name(Given given) {
        return given.from() == From.FILE
                ? given.origin() + ": " + given.setting().key()
                : given.origin();
    }

    /** What is suspicious, a line each. */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * What a server understands.
     *
     * @throws SettingException if a value cannot be used
     */
    public ServerConfig config() {
        ServerConfig.Builder config = ServerConfig.builder()
                .host(values.text(Setting.HOST).orElseThrow())
                .port(values.port(Setting.PORT))
                .respPort(values.isOff(Setting.RESP_PORT) ? -1 : values.port(Setting.RESP_PORT))
                .redisPrefix(values.text(Setting.REDIS_PREFIX).orElseThrow())
                .trusted(values.networks(Setting.TRUSTED_PROXIES))
                .webhookHosts(values.webhookHosts(Setting.WEBHOOK_HOSTS))
                .openMetrics(values.oneOf(Setting.METRICS, "open", "admin").equals("open"))
                .legacyHeaders(
                        values.oneOf(Setting.LEGACY_HEADERS, "true", "false").equals("true"))
                .maxConnections((int) values.number(Setting.MAX_CONNECTIONS, 1, Integer.MAX_VALUE))
                .maxConnectionsPerAddress(
                        (int) values.number(Setting.MAX_CONNECTIONS_PER_ADDRESS, 1, Integer.MAX_VALUE))
                .idleTimeout(values.time(Setting.IDLE_TIMEOUT))
                .respAuthTimeout(values.time(Setting.RESP_AUTH_TIMEOUT))
                .stopDeadline(values.time(Setting.STOP_DEADLINE))
                .snapshotEvery(values.time(Setting.SNAPSHOT_EVERY))
                .maxCallPeriod(values.period(Setting.MAX_CALL_PERIOD));
        if (given.containsKey(Setting.MAX_KEYS)) {
            config.maxKeys(values.number(Setting.MAX_KEYS, 1, Integer.MAX_VALUE));
        }
        values.path(Setting.CONFIG).ifPresent(config::policies);
        values.path(Setting.ENVOY_CONFIG).ifPresent(config::envoyConfig);
        values.path(Setting.DATA_DIR).ifPresent(config::dataDir);
        values.redis().ifPresent(config::redis);
        values.secret(Setting.ADMIN_TOKEN, Setting.ADMIN_TOKEN_FILE).ifPresent(config::adminToken);
        values.secret(Setting.RESP_PASSWORD, Setting.RESP_PASSWORD_FILE).ifPresent(config::respPassword);
        tls(config);
        logsJson();
        return config.build();
    }

    private void tls(ServerConfig.Builder config) {
        Optional<Path> certificate = values.path(Setting.TLS_CERT);
        Optional<Path> key = values.path(Setting.TLS_KEY);
        if (certificate.isPresent() && key.isPresent()) {
            config.tls(certificate.get(), key.get());
        } else if (certificate.isPresent() || key.isPresent()) {
            throw new SettingException(
                    certificate.isPresent()
                            ? "tls-cert without tls-key (expected: both, or none)"
                            : "tls-key without tls-cert (expected: both, or none)");
        }
    }

    /** Whether to log in JSON. */
    public boolean logsJson() {
        return values.oneOf(Setting.LOG_FORMAT, "text", "json").equals("json");
    }

    /** All settings as a file that can be read again, with where each comes from. Secrets are not in it. */
    public String print() {
        return SettingsText.of(given);
    }
}
