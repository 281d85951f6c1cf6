package io.sluice.server.settings;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that can be set, by the name it has in the file; flags and variables are made from that. */
public enum Setting {
    CONFIG(Group.POLICIES, "FILE", null, "The policies, in YAML; read again when the file changes."),
    ENVOY_CONFIG(Group.POLICIES, "DIR", null, "Files of envoyproxy/ratelimit, instead of --config."),

    REDIS(
            Group.STORE,
            "URI",
            null,
            "Count in Redis, together with every other process: redis://[[user]:password@]host[:port][/database],"
                    + " rediss://... for TLS, redis-sentinel://host[,host...]#master."),
    REDIS_FILE(Group.STORE, "FILE", null, "A file that holds that URI: it may have a password in it."),
    REDIS_PREFIX(Group.STORE, "TEXT", "sluice", "What keys in Redis begin with."),
    MAX_KEYS(Group.STORE, "N", "1000000", "How many keys are counted at most, in memory."),
    DATA_DIR(
            Group.STORE,
            "DIR",
            null,
            "Where what is counted in memory, and policies that were put, survive a restart."),
    SNAPSHOT_EVERY(Group.STORE, "TIME", "5s", "How often --data-dir is written to, if anything has changed."),

    HOST(Group.LISTEN, "ADDRESS", "127.0.0.1", "Where to listen; 0.0.0.0 is everywhere."),
    PORT(Group.LISTEN, "PORT", "8080", "For HTTP and gRPC; 0 picks a free one."),
    RESP_PORT(Group.LISTEN, "PORT", "6380", "For RESP; 0 picks a free one, off is none."),
    TLS_CERT(Group.LISTEN, "FILE", null, "Speak TLS on every port, with this certificate (PEM)."),
    TLS_KEY(Group.LISTEN, "FILE", null, "The certificate's private key (PEM)."),
    IDLE_TIMEOUT(Group.LISTEN, "TIME", "60s", "How long a connection may say nothing."),

    ADMIN_TOKEN(Group.TRUST, "TOKEN", null, "What who administers it has to show."),
    ADMIN_TOKEN_FILE(
            Group.TRUST,
            "FILE",
            null,
            "A file that holds the token of who may administer it. Without one: made and printed on loopback, else nobody may."),
    RESP_PASSWORD(Group.TRUST, "PASSWORD", null, "What RESP clients have to AUTH with."),
    RESP_PASSWORD_FILE(Group.TRUST, "FILE", null, "A file that holds what RESP clients have to AUTH with."),
    TRUSTED_PROXIES(
            Group.TRUST,
            "CIDR,...",
            "127.0.0.0/8,::1/128",
            "Whose X-Forwarded-* and X-Sluice-* headers count; none is nobody's."),
    METRICS(Group.TRUST, "open|admin", "open", "Whether /metrics is for everybody or wants the token."),

    LEGACY_HEADERS(Group.RUN, "", "false", "Send X-RateLimit-* headers as well."),
    MAX_CALL_PERIOD(
            Group.RUN,
            "TIME",
            "31d",
            "The longest period of a limit that comes with a call: CL.THROTTLE, or the limit of an Envoy descriptor."),
    STOP_DEADLINE(Group.RUN, "TIME", "10s", "How long requests in flight may take when it is stopped."),
    LOG_FORMAT(Group.RUN, "text|json", "text", "How to log, on standard error.");

    /** What belongs together, with a heading. */
    public enum Group {
        POLICIES("What to decide by (without any: a sample):"),
        STORE("Where to count (without any: in memory):"),
        LISTEN("Where to listen:"),
        TRUST("Whom to trust:"),
        RUN("How to run:");

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

    /** At most one of each can be said in one place. */
    static final List<List<Setting>> ALTERNATIVES = List.of(
            List.of(CONFIG, ENVOY_CONFIG),
            List.of(REDIS, REDIS_FILE),
            List.of(ADMIN_TOKEN, ADMIN_TOKEN_FILE),
            List.of(RESP_PASSWORD, RESP_PASSWORD_FILE));

    private final Group group;
    private final String label;
    private final @Nullable String byDefault;
    private final String description;

    Setting(Group group, String label, @Nullable String byDefault, String description) {
        this.group = group;
        this.label = label;
        this.byDefault = byDefault;
        this.description = description;
    }

    /** {@code resp-port}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code --resp-port}; secrets have none, since everybody on the machine can read what a process was called with. */
    public Optional<String> flag() {
        return this == ADMIN_TOKEN || this == RESP_PASSWORD ? Optional.empty() : Optional.of("--" + key());
    }

    /** {@code SLUICE_RESP_PORT}. */
    public String variable() {
        return Environment.PREFIX + name();
    }

    /** What its value is called: {@code PORT}; empty if it needs none. */
    public String label() {
        return label;
    }

    public Optional<String> byDefault() {
        return Optional.ofNullable(byDefault);
    }

    public String description() {
        return description;
    }

    boolean isSecret() {
        return this == REDIS || this == ADMIN_TOKEN || this == RESP_PASSWORD;
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
