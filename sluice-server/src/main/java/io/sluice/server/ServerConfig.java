package io.sluice.server;

import io.sluice.http.ClientAddress;
import io.sluice.policy.Cidr;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.decide.MaxCallPeriod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a server. Immutable. {@link Builder} documents the defaults; {@code Settings} makes one from flags,
 * the environment and a file.
 */
public final class ServerConfig {
    private final String host;
    private final int port;
    private final int respPort;
    private final @Nullable Path policies;
    private final @Nullable Path envoyConfig;
    private final @Nullable String redis;
    private final String redisPrefix;
    private final long maxKeys;
    private final @Nullable String adminToken;
    private final @Nullable String respPassword;
    private final Duration respAuthTimeout;
    private final @Nullable Path dataDir;
    private final @Nullable Path tlsCertificate;
    private final @Nullable Path tlsKey;
    private final List<Cidr> trusted;
    private final WebhookHosts webhookHosts;
    private final boolean openMetrics;
    private final DashboardAccess dashboard;
    private final boolean legacyHeaders;
    private final boolean latencyHistogram;
    private final int maxConnections;
    private final int maxConnectionsPerAddress;
    private final Duration idleTimeout;
    private final Duration stopDeadline;
    private final Duration snapshotEvery;
    private final Duration maxCallPeriod;

    private ServerConfig(Builder builder) {
        host = builder.host;
        port = builder.port;
        respPort = builder.respPort;
        policies = builder.policies;
        envoyConfig = builder.envoyConfig;
        redis = builder.redis;
        redisPrefix = builder.redisPrefix;
        maxKeys = builder.maxKeys;
        adminToken = builder.adminToken;
        respPassword = builder.respPassword;
        respAuthTimeout = builder.respAuthTimeout;
        dataDir = builder.dataDir;
        tlsCertificate = builder.tlsCertificate;
        tlsKey = builder.tlsKey;
        trusted = builder.trusted;
        webhookHosts = builder.webhookHosts;
        openMetrics = builder.openMetrics;
        dashboard = builder.dashboard;
        legacyHeaders = builder.legacyHeaders;
        latencyHistogram = builder.latencyHistogram;
        maxConnections = builder.maxConnections;
        maxConnectionsPerAddress = builder.maxConnectionsPerAddress;
        idleTimeout = builder.idleTimeout;
        stopDeadline = builder.stopDeadline;
        snapshotEvery = builder.snapshotEvery;
        maxCallPeriod = builder.maxCallPeriod;
    }

    /** A builder whose defaults are a server on loopback with the memory store and a sample policy. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with the values of this configuration. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Address to listen on. */
    public String host() {
        return host;
    }

    /** Port for HTTP and gRPC. 0 picks a free one. */
    public int port() {
        return port;
    }

    /** Port for RESP. 0 picks a free one, -1 opens none. */
    public int respPort() {
        return respPort;
    }

    /** Policy file. Null: the policies in the data directory, or the built-in sample. */
    public @Nullable Path policies() {
        return policies;
    }

    /** Directory of envoyproxy/ratelimit files, used instead of a policy file. Null: none. */
    public @Nullable Path envoyConfig() {
        return envoyConfig;
    }

    /** URI of the Redis server that all processes share. Null: the store is memory. */
    public @Nullable String redis() {
        return redis;
    }

    /** Prefix of all keys in Redis. */
    public String redisPrefix() {
        return redisPrefix;
    }

    /** Maximum number of keys in the memory store. 0: as many as fit the heap. */
    public long maxKeys() {
        return maxKeys;
    }

    /** Bearer token for the admin API. Null: the admin API is closed. */
    public @Nullable String adminToken() {
        return adminToken;
    }

    /** Password of RESP clients. Null: none is needed. */
    public @Nullable String respPassword() {
        return respPassword;
    }

    /** Maximum time until a RESP client sends AUTH, if there is a password. */
    public Duration respAuthTimeout() {
        return respAuthTimeout;
    }

    /** Directory for snapshots of the memory store and for policies uploaded with PUT. Null: none. */
    public @Nullable Path dataDir() {
        return dataDir;
    }

    /** Certificate file (PEM). Null: no TLS. */
    public @Nullable Path tlsCertificate() {
        return tlsCertificate;
    }

    /** Private key file of the certificate (PEM). Null: no TLS. */
    public @Nullable Path tlsKey() {
        return tlsKey;
    }

    /** Trusted proxies: their {@code X-Forwarded-*} and {@code X-Sluice-*} headers are believed. */
    public List<Cidr> trusted() {
        return trusted;
    }

    /** Hosts that alerts may be posted to. */
    public WebhookHosts webhookHosts() {
        return webhookHosts;
    }

    /** Whether {@code /metrics} is open. If not, it needs the admin token. */
    public boolean openMetrics() {
        return openMetrics;
    }

    /** Who may use the dashboard. */
    public DashboardAccess dashboard() {
        return dashboard;
    }

    /** Whether responses also have {@code X-RateLimit-*} headers. */
    public boolean legacyHeaders() {
        return legacyHeaders;
    }

    /** Whether {@code /metrics} has histograms of the latency. */
    public boolean latencyHistogram() {
        return latencyHistogram;
    }

    /** Maximum number of connections of each port. */
    public int maxConnections() {
        return maxConnections;
    }

    /** Maximum number of connections of a port from one address that is not a trusted proxy. */
    public int maxConnectionsPerAddress() {
        return maxConnectionsPerAddress;
    }

    /** Maximum time that a connection may be idle. */
    public Duration idleTimeout() {
        return idleTimeout;
    }

    /** Maximum time for requests in flight when the server stops. */
    public Duration stopDeadline() {
        return stopDeadline;
    }

    /** Time between two snapshots of the memory store. */
    public Duration snapshotEvery() {
        return snapshotEvery;
    }

    /** Longest period of a limit that comes with a call. */
    public Duration maxCallPeriod() {
        return maxCallPeriod;
    }

    /** Has no secrets, and no setting that may contain one. */
    @Override
    public String toString() {
        return "ServerConfig[host=" + host + ", port=" + port + ", respPort=" + respPort + "]";
    }

    /** Collects the settings of a server; each setting has a default. */
    public static final class Builder {
        private String host = "127.0.0.1";
        private int port = 8080;
        private int respPort = 6380;
        private @Nullable Path policies;
        private @Nullable Path envoyConfig;
        private @Nullable String redis;
        private String redisPrefix = "sluice";
        private long maxKeys;
        private @Nullable String adminToken;
        private @Nullable String respPassword;
        private Duration respAuthTimeout = Duration.ofSeconds(10);
        private @Nullable Path dataDir;
        private @Nullable Path tlsCertificate;
        private @Nullable Path tlsKey;
        private List<Cidr> trusted = ClientAddress.LOOPBACK;
        private WebhookHosts webhookHosts = WebhookHosts.ANY;
        private boolean openMetrics = true;
        private DashboardAccess dashboard = DashboardAccess.TOKEN;
        private boolean legacyHeaders;
        private boolean latencyHistogram;
        private int maxConnections = 10_000;
        private int maxConnectionsPerAddress = 1000;
        private Duration idleTimeout = Duration.ofSeconds(60);
        private Duration stopDeadline = Duration.ofSeconds(10);
        private Duration snapshotEvery = Duration.ofSeconds(5);
        private Duration maxCallPeriod = MaxCallPeriod.DEFAULT;

        private Builder() {}

        private Builder(ServerConfig config) {
            host = config.host;
            port = config.port;
            respPort = config.respPort;
            policies = config.policies;
            envoyConfig = config.envoyConfig;
            redis = config.redis;
            redisPrefix = config.redisPrefix;
            maxKeys = config.maxKeys;
            adminToken = config.adminToken;
            respPassword = config.respPassword;
            respAuthTimeout = config.respAuthTimeout;
            dataDir = config.dataDir;
            tlsCertificate = config.tlsCertificate;
            tlsKey = config.tlsKey;
            trusted = config.trusted;
            webhookHosts = config.webhookHosts;
            openMetrics = config.openMetrics;
            dashboard = config.dashboard;
            legacyHeaders = config.legacyHeaders;
            latencyHistogram = config.latencyHistogram;
            maxConnections = config.maxConnections;
            maxConnectionsPerAddress = config.maxConnectionsPerAddress;
            idleTimeout = config.idleTimeout;
            stopDeadline = config.stopDeadline;
            snapshotEvery = config.snapshotEvery;
            maxCallPeriod = config.maxCallPeriod;
        }

        /** Address to listen on. Default: loopback. */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /** Port for HTTP and gRPC. 0 picks a free one. Default: 8080. */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /** Port for RESP. 0 picks a free one, -1 opens none. Default: 6380. */
        public Builder respPort(int respPort) {
            this.respPort = respPort;
            return this;
        }

        /** Policy file. Default: the policies in the data directory, or the built-in sample. */
        public Builder policies(Path file) {
            this.policies = file;
            return this;
        }

        /** Directory of envoyproxy/ratelimit files, used instead of a policy file. Default: none. */
        public Builder envoyConfig(Path directory) {
            this.envoyConfig = directory;
            return this;
        }

        /** URI of the Redis server that all processes share. Default: none, the store is memory. */
        public Builder redis(String uri) {
            this.redis = uri;
            return this;
        }

        /** Prefix of all keys in Redis. Default: {@code sluice}. */
        public Builder redisPrefix(String prefix) {
            this.redisPrefix = prefix;
            return this;
        }

        /** Maximum number of keys in the memory store. Default: as many as fit the heap, see {@link KeyMemory}. */
        public Builder maxKeys(long keys) {
            this.maxKeys = keys;
            return this;
        }

        /** Bearer token for the admin API. Default: none, the admin API is closed. */
        public Builder adminToken(String token) {
            this.adminToken = token;
            return this;
        }

        /** Password of RESP clients. Default: none. */
        public Builder respPassword(String password) {
            this.respPassword = password;
            return this;
        }

        /** Maximum time until a RESP client sends AUTH, if there is a password. Default: 10 s. */
        public Builder respAuthTimeout(Duration timeout) {
            this.respAuthTimeout = timeout;
            return this;
        }

        /**
         * Directory for snapshots of the memory store and for policies uploaded with PUT. Not used with Redis.
         * Default: none.
         */
        public Builder dataDir(Path directory) {
            this.dataDir = directory;
            return this;
        }

        /** Certificate and its private key (PEM files). With them, every port uses TLS. Default: no TLS. */
        public Builder tls(Path certificate, Path key) {
            this.tlsCertificate = certificate;
            this.tlsKey = key;
            return this;
        }

        /**
         * Trusted proxies: their {@code X-Forwarded-*} and {@code X-Sluice-*} headers are believed. Default:
         * loopback.
         */
        public Builder trusted(List<Cidr> proxies) {
            this.trusted = List.copyOf(proxies);
            return this;
        }

        /** Hosts that alerts may be posted to. Default: every host. */
        public Builder webhookHosts(WebhookHosts hosts) {
            this.webhookHosts = hosts;
            return this;
        }

        /** Whether {@code /metrics} is open. If not, it needs the admin token. Default: true. */
        public Builder openMetrics(boolean open) {
            this.openMetrics = open;
            return this;
        }

        /** Who may use the dashboard. Default: who has signed in with the admin token. */
        public Builder dashboard(DashboardAccess access) {
            this.dashboard = access;
            return this;
        }

        /** Whether responses also have {@code X-RateLimit-*} headers. Default: false. */
        public Builder legacyHeaders(boolean legacy) {
            this.legacyHeaders = legacy;
            return this;
        }

        /**
         * Whether {@code /metrics} has histograms of the latency of decisions and of calls to Redis, for percentiles.
         * Default: false.
         */
        public Builder latencyHistogram(boolean histogram) {
            this.latencyHistogram = histogram;
            return this;
        }

        /**
         * Maximum number of connections of each port. It is lower if the process may open fewer files. Default:
         * 10,000.
         */
        public Builder maxConnections(int connections) {
            this.maxConnections = connections;
            return this;
        }

        /**
         * Maximum number of connections of a port from one address that is not a trusted proxy. It is never more than
         * half of {@link #maxConnections}. Default: 1,000.
         */
        public Builder maxConnectionsPerAddress(int connections) {
            this.maxConnectionsPerAddress = connections;
            return this;
        }

        /** Maximum time that a connection may be idle. Default: 60 s. */
        public Builder idleTimeout(Duration timeout) {
            this.idleTimeout = timeout;
            return this;
        }

        /** Maximum time for requests in flight when the server stops. Default: 10 s. */
        public Builder stopDeadline(Duration deadline) {
            this.stopDeadline = deadline;
            return this;
        }

        /** Time between two snapshots of the memory store. Default: 5 s. */
        public Builder snapshotEvery(Duration interval) {
            this.snapshotEvery = interval;
            return this;
        }

        /** Longest period of a limit that comes with a call. Default: 31 days. */
        public Builder maxCallPeriod(Duration period) {
            this.maxCallPeriod = period;
            return this;
        }

        public ServerConfig build() {
            return new ServerConfig(this);
        }
    }
}
