package io.sluice.server.settings;

import io.sluice.server.DashboardAccess;
import io.sluice.server.ServerConfig;
import io.sluice.server.SettingException;
import io.sluice.server.settings.SettingValue.Source;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server from flags, the environment and a file. A flag wins over a variable, a variable over the file, and
 * the file over the default.
 *
 * <pre>{@code
 * Settings settings = Settings.read(Map.of(Setting.PORT, "0"), null, System.getenv());
 * SluiceServer.start(settings.config());
 * }</pre>
 */
public final class Settings {
    private final Map<Setting, SettingValue> values = new EnumMap<>(Setting.class);
    private final List<String> warnings;
    private final SettingParser parser;

    private Settings(Map<Setting, String> flags, @Nullable Path file, Map<String, String> variables) {
        Environment environment = new Environment(variables);
        for (Setting setting : Setting.values()) {
            setting.defaultValue()
                    .ifPresent(text -> values.put(setting, new SettingValue(setting, text, Source.DEFAULT, "default")));
        }
        Path read = file == null ? toPath(environment.settingsFile) : file;
        if (read != null) {
            values.putAll(SettingsFile.read(read));
        }
        values.putAll(environment.values);
        flags.forEach((setting, text) -> values.put(
                setting,
                new SettingValue(setting, text, Source.FLAG, setting.flag().orElseThrow())));
        Setting.ALTERNATIVES.forEach(this::choose);
        parser = new SettingParser(values);
        warnings = Stream.concat(environment.warnings.stream(), SecretWarnings.warnings(values, read).stream())
                .toList();
    }

    /**
     * Reads the settings from all sources.
     *
     * @param file the settings file; null for the file of {@code SLUICE_SETTINGS}, if any
     * @throws SettingException if the file cannot be read or has an unknown setting
     */
    public static Settings read(Map<Setting, String> flags, @Nullable Path file, Map<String, String> variables) {
        return new Settings(flags, file, variables);
    }

    private static @Nullable Path toPath(@Nullable String file) {
        try {
            return file == null || file.isEmpty() ? null : Path.of(file);
        } catch (InvalidPathException e) {
            throw new SettingException("SLUICE_SETTINGS: " + e.getMessage() + " (expected: the name of a file)");
        }
    }

    /** Keeps only the alternative whose source wins. */
    private void choose(List<Setting> alternatives) {
        SettingValue chosen = null;
        for (Setting setting : alternatives) {
            SettingValue one = values.get(setting);
            if (one == null) {
                continue;
            }
            if (chosen != null && chosen.source() == one.source()) {
                throw new SettingException(name(chosen) + " and " + name(one) + " (expected: one of them)");
            }
            if (chosen == null || chosen.source().compareTo(one.source()) < 0) {
                chosen = one;
            }
        }
        SettingValue kept = chosen;
        values.values().removeIf(one -> alternatives.contains(one.setting()) && !one.equals(kept));
    }

    private static String name(SettingValue value) {
        return value.source() == Source.FILE
                ? value.origin() + ": " + value.setting().key()
                : value.origin();
    }

    /** Warnings for the log, one line each. */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * The configuration of a server with these settings.
     *
     * @throws SettingException if a value cannot be used
     */
    public ServerConfig config() {
        ServerConfig.Builder config = ServerConfig.builder()
                .host(parser.text(Setting.HOST).orElseThrow())
                .port(parser.port(Setting.PORT))
                .respPort(parser.isOff(Setting.RESP_PORT) ? -1 : parser.port(Setting.RESP_PORT))
                .redisPrefix(parser.text(Setting.REDIS_PREFIX).orElseThrow())
                .trusted(parser.networks(Setting.TRUSTED_PROXIES))
                .webhookHosts(parser.webhookHosts(Setting.WEBHOOK_HOSTS))
                .openMetrics(parser.oneOf(Setting.METRICS, "open", "admin").equals("open"))
                .dashboard(dashboard())
                .legacyHeaders(
                        parser.oneOf(Setting.LEGACY_HEADERS, "true", "false").equals("true"))
                .latencyHistogram(
                        parser.oneOf(Setting.LATENCY_HISTOGRAM, "true", "false").equals("true"))
                .maxConnections((int) parser.number(Setting.MAX_CONNECTIONS, 1, Integer.MAX_VALUE))
                .maxConnectionsPerAddress(
                        (int) parser.number(Setting.MAX_CONNECTIONS_PER_ADDRESS, 1, Integer.MAX_VALUE))
                .idleTimeout(parser.time(Setting.IDLE_TIMEOUT))
                .respAuthTimeout(parser.time(Setting.RESP_AUTH_TIMEOUT))
                .stopDeadline(parser.time(Setting.STOP_DEADLINE))
                .snapshotEvery(parser.time(Setting.SNAPSHOT_EVERY))
                .maxCallPeriod(parser.period(Setting.MAX_CALL_PERIOD));
        if (values.containsKey(Setting.MAX_KEYS)) {
            config.maxKeys(parser.number(Setting.MAX_KEYS, 1, Integer.MAX_VALUE));
        }
        parser.path(Setting.CONFIG).ifPresent(config::policies);
        parser.path(Setting.ENVOY_CONFIG).ifPresent(config::envoyConfig);
        parser.path(Setting.DATA_DIR).ifPresent(config::dataDir);
        parser.redis().ifPresent(config::redis);
        parser.secret(Setting.ADMIN_TOKEN, Setting.ADMIN_TOKEN_FILE).ifPresent(config::adminToken);
        parser.secret(Setting.RESP_PASSWORD, Setting.RESP_PASSWORD_FILE).ifPresent(config::respPassword);
        tls(config);
        logsJson();
        return config.build();
    }

    private DashboardAccess dashboard() {
        return switch (parser.oneOf(Setting.DASHBOARD, "token", "read-only", "off")) {
            case "read-only" -> DashboardAccess.READ_ONLY;
            case "off" -> DashboardAccess.OFF;
            default -> DashboardAccess.TOKEN;
        };
    }

    private void tls(ServerConfig.Builder config) {
        Optional<Path> certificate = parser.path(Setting.TLS_CERT);
        Optional<Path> key = parser.path(Setting.TLS_KEY);
        if (certificate.isPresent() && key.isPresent()) {
            config.tls(certificate.get(), key.get());
        } else if (certificate.isPresent() || key.isPresent()) {
            throw new SettingException(
                    certificate.isPresent()
                            ? "tls-cert without tls-key (expected: both, or none)"
                            : "tls-key without tls-cert (expected: both, or none)");
        }
    }

    /** Whether the log is JSON. */
    public boolean logsJson() {
        return parser.oneOf(Setting.LOG_FORMAT, "text", "json").equals("json");
    }

    /** All settings as a settings file, with the source of each. Has no secrets. */
    public String print() {
        return SettingsPrinter.print(values);
    }
}
