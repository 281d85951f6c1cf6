package io.sluice.server.settings;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All settings of a server. The name in the settings file gives the flag and the environment variable. */
public enum Setting {
    CONFIG(Group.POLICIES, "FILE", null, "The policy file, in YAML. It is read again when it changes."),
    ENVOY_CONFIG(Group.POLICIES, "DIR", null, "Directory of envoyproxy/ratelimit files, instead of --config."),

    REDIS(
            Group.STORE,
            "URI",
            null,
            "Redis server that all processes share: redis://[[user]:password@]host[:port][/database],"
                    + " rediss://... for TLS, redis-sentinel://host[,host...]#master."),
    REDIS_FILE(Group.STORE, "FILE", null, "File that holds the Redis URI. Use it when the URI has a password."),
    REDIS_PREFIX(Group.STORE, "TEXT", "sluice", "Prefix of all keys in Redis."),
    MAX_KEYS(Group.STORE, "N", null, "Maximum number of keys in the memory store. Default: as many as fit the heap."),
    DATA_DIR(
            Group.STORE,
            "DIR",
            null,
            "Directory for snapshots of the memory store and for policies uploaded with PUT, so that they survive a restart."
                    + " Not used with --redis."),
    SNAPSHOT_EVERY(Group.STORE, "TIME", "5s", "Time between two snapshots, if anything has changed."),

    HOST(Group.LISTEN, "ADDRESS", "127.0.0.1", "Address to listen on. 0.0.0.0 is every address."),
    PORT(Group.LISTEN, "PORT", "8080", "Port for HTTP and gRPC. 0 picks a free one."),
    RESP_PORT(Group.LISTEN, "PORT", "6380", "Port for RESP. 0 picks a free one, off opens none."),
    TLS_CERT(Group.LISTEN, "FILE", null, "Certificate (PEM). With it, every port uses TLS."),
    TLS_KEY(Group.LISTEN, "FILE", null, "Private key of the certificate (PEM)."),
    MAX_CONNECTIONS(
            Group.LISTEN,
            "N",
            "10000",
            "Maximum number of connections of each port. It is lower where the process may open fewer files."),
    MAX_CONNECTIONS_PER_ADDRESS(
            Group.LISTEN,
            "N",
            "1000",
            "Maximum number of connections from one address (IPv6: one /64). It does not apply to trusted proxies."),
    IDLE_TIMEOUT(Group.LISTEN, "TIME", "60s", "Maximum time that a connection may be idle."),

    ADMIN_TOKEN(Group.TRUST, "TOKEN", null, "Bearer token for the admin API."),
    ADMIN_TOKEN_FILE(
            Group.TRUST,
            "FILE",
            null,
            "File that holds the bearer token for the admin API. Without a token, a server on loopback makes one and prints it;"
                    + " elsewhere the admin API is closed."),
    RESP_PASSWORD(Group.TRUST, "PASSWORD", null, "Password of RESP clients."),
    RESP_PASSWORD_FILE(Group.TRUST, "FILE", null, "File that holds the password of RESP clients."),
    RESP_AUTH_TIMEOUT(
            Group.TRUST, "TIME", "10s", "Maximum time until a RESP client sends AUTH, if there is a password."),
    TRUSTED_PROXIES(
            Group.TRUST,
            "CIDR,...",
            "127.0.0.0/8,::1/128",
            "Networks of trusted proxies: their X-Forwarded-* and X-Sluice-* headers are used. none trusts no proxy."),
    WEBHOOK_HOSTS(
            Group.TRUST,
            "HOST,...",
            "any",
            "Hosts that alerts may be posted to: names such as hooks.example.com or *.example.com, networks such as 10.0.0.0/8,"
                    + " any, or none."),
    METRICS(Group.TRUST, "open|admin", "open", "Whether /metrics is open or needs the admin token."),
    DASHBOARD(
            Group.TRUST,
            "token|read-only|off",
            "token",
            "Who may use the dashboard: who signs in with the admin token, or (read-only) also everybody else, to look. read-only"
                    + " shows the policies and the keys of clients to everybody who can reach the port. off: there is none."),

    LEGACY_HEADERS(Group.RUN, "", "false", "Send X-RateLimit-* headers as well."),
    LATENCY_HISTOGRAM(
            Group.RUN,
            "",
            "false",
            "Export histograms of the latency of decisions and of calls to Redis, for percentiles."),
    MAX_CALL_PERIOD(
            Group.RUN,
            "TIME",
            "31d",
            "The longest period of a limit that comes with a call: CL.THROTTLE, or the limit of an Envoy descriptor."),
    STOP_DEADLINE(Group.RUN, "TIME", "10s", "Maximum time for requests in flight when the server stops."),
    LOG_FORMAT(Group.RUN, "text|json", "text", "Format of the log, which goes to standard error.");

    /** A group of settings in {@code --help}, with a heading. */
    public enum Group {
        POLICIES("Policies (default: a sample policy):"),
        STORE("Store (default: memory):"),
        LISTEN("Network:"),
        TRUST("Security:"),
        RUN("Other:");

        private final String heading;

        Group(String heading) {
            this.heading = heading;
        }

        public String heading() {
            return heading;
        }

        public List<Setting> settings() {
            return Arrays.stream(Setting.values())
                    .filter(setting -> setting.group == this)
                    .toList();
        }
    }

    /** Of each list, one source may set at most one. */
    static final List<List<Setting>> ALTERNATIVES = List.of(
            List.of(CONFIG, ENVOY_CONFIG),
            List.of(REDIS, REDIS_FILE),
            List.of(ADMIN_TOKEN, ADMIN_TOKEN_FILE),
            List.of(RESP_PASSWORD, RESP_PASSWORD_FILE));

    private final Group group;
    private final String label;
    private final @Nullable String defaultValue;
    private final String description;

    Setting(Group group, String label, @Nullable String defaultValue, String description) {
        this.group = group;
        this.label = label;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    /** {@code resp-port}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code --resp-port}; secrets have none, because every user of the machine can read the arguments of a process. */
    public Optional<String> flag() {
        return this == ADMIN_TOKEN || this == RESP_PASSWORD ? Optional.empty() : Optional.of("--" + key());
    }

    /** {@code SLUICE_RESP_PORT}. */
    public String variable() {
        return Environment.PREFIX + name();
    }

    /** The name of the value in {@code --help}: {@code PORT}; empty for a flag without a value. */
    public String label() {
        return label;
    }

    public Optional<String> defaultValue() {
        return Optional.ofNullable(defaultValue);
    }

    public String description() {
        return description;
    }

    boolean isSecret() {
        return this == REDIS || this == ADMIN_TOKEN || this == RESP_PASSWORD;
    }

    /** Whether it may be a list in the settings file. Elsewhere its values are separated by commas. */
    boolean isList() {
        return this == TRUSTED_PROXIES || this == WEBHOOK_HOSTS;
    }

    static @Nullable Setting byKey(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(Setting::key).toList();
    }
}
