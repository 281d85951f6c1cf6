package io.sluice.server;

import io.sluice.http.ClientAddress;
import io.sluice.policy.Cidr;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.decide.CallPeriod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server is told. Made by {@link #builder()}; what is not said has the value that is documented there.
 *
 * @param respPort -1 for no RESP listener
 * @param redis null to count in memory
 * @param maxKeys how many keys may be counted in memory; 0 for as many as fit the heap
 * @param maxConnections how many connections a port may have
 * @param maxConnectionsPerAddress how many of them may come from one address that is no trusted proxy
 * @param maxCallPeriod the longest period of a limit that comes with a call
 */
public record ServerConfig(
        String host,
        int port,
        int respPort,
        @Nullable Path policies,
        @Nullable Path envoyConfig,
        @Nullable String redis,
        String redisPrefix,
        long maxKeys,
        @Nullable String adminToken,
        @Nullable String respPassword,
        Duration respAuthTimeout,
        @Nullable Path dataDir,
        @Nullable Path tlsCertificate,
        @Nullable Path tlsKey,
        List<Cidr> trusted,
        WebhookHosts webhookHosts,
        boolean openMetrics,
        boolean legacyHeaders,
        int maxConnections,
        int maxConnectionsPerAddress,
        Duration idleTimeout,
        Duration stopDeadline,
        Duration snapshotEvery,
        Duration maxCallPeriod) {

    /** A server on loopback that counts in memory, by a sample policy. */
    public static Builder builder() {
        return new Builder();
    }

    /** The same with another admin token. */
    public ServerConfig withAdminToken(String token) {
        return new ServerConfig(
                host,
                port,
                respPort,
                policies,
                envoyConfig,
                redis,
                redisPrefix,
                maxKeys,
                token,
                respPassword,
                respAuthTimeout,
                dataDir,
                tlsCertificate,
                tlsKey,
                trusted,
                webhookHosts,
                openMetrics,
                legacyHeaders,
                maxConnections,
                maxConnectionsPerAddress,
                idleTimeout,
                stopDeadline,
                snapshotEvery,
                maxCallPeriod);
    }

    /** Without secrets, nor where they could be. */
    @Override
    public String toString() {
        return "ServerConfig[host=" + host + ", port=" + port + ", respPort=" + respPort + "]";
    }

    /** What to change. */
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
        private boolean legacyHeaders;
        private int maxConnections = 10_000;
        private int maxConnectionsPerAddress = 1000;
        private Duration idleTimeout = Duration.ofSeconds(60);
        private Duration stopDeadline = Duration.ofSeconds(10);
        private Duration snapshotEvery = Duration.ofSeconds(5);
        private Duration maxCallPeriod = CallPeriod.USUAL;

        private Builder() {}

        /** The address to listen on; loopback if not said. */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /** The port of HTTP and gRPC; 0 picks a free one, 8080 if not said. */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /** The port of RESP; 0 picks a free one, -1 is none, 6380 if not said. */
        public Builder respPort(int respPort) {
            this.respPort = respPort;
            return this;
        }

        /** The file of policies; without one, a sample. */
        public Builder policies(Path file) {
            this.policies = file;
            return this;
        }

        /** A directory of envoyproxy/ratelimit files, instead of policies. */
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

        /** How many keys may be counted in memory; if not said, as many as fit the heap: see {@link KeyMemory}. */
        public Builder maxKeys(long keys) {
            this.maxKeys = keys;
            return this;
        }

        /** Bearer token for the admin API. Without one, the admin API is closed. */
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

        /** Directory for snapshots of the memory store and for policies uploaded with PUT. Not used with Redis. */
        public Builder dataDir(Path directory) {
            this.dataDir = directory;
            return this;
        }

        /** Speak TLS on every listener. Both are PEM files. */
        public Builder tls(Path certificate, Path key) {
            this.tlsCertificate = certificate;
            this.tlsKey = key;
            return this;
        }

        /** The proxies whose {@code X-Forwarded-*} and {@code X-Sluice-*} headers count; loopback if not said. */
        public Builder trusted(List<Cidr> proxies) {
            this.trusted = List.copyOf(proxies);
            return this;
        }

        /** The hosts that alerts may be posted to; every host if not said. */
        public Builder webhookHosts(WebhookHosts hosts) {
            this.webhookHosts = hosts;
            return this;
        }

        /** Whether {@code /metrics} is open to everybody, as it is if not said, or wants the admin token. */
        public Builder openMetrics(boolean open) {
            this.openMetrics = open;
            return this;
        }

        /** Whether to send {@code X-RateLimit-*} as well. */
        public Builder legacyHeaders(boolean legacy) {
            this.legacyHeaders = legacy;
            return this;
        }

        /** How many connections a port may have, if the process may have that many open files; 10,000 if not said. */
        public Builder maxConnections(int connections) {
            this.maxConnections = connections;
            return this;
        }

        /**
         * How many connections of a port may come from one address that is no trusted proxy, and never more than half of them
         * all; 1,000 if not said.
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

        /** The longest period of a limit that comes with a call; 31 days if not said. */
        public Builder maxCallPeriod(Duration period) {
            this.maxCallPeriod = period;
            return this;
        }

        public ServerConfig build() {
            return new ServerConfig(
                    host,
                    port,
                    respPort,
                    policies,
                    envoyConfig,
                    redis,
                    redisPrefix,
                    maxKeys,
                    adminToken,
                    respPassword,
                    respAuthTimeout,
                    dataDir,
                    tlsCertificate,
                    tlsKey,
                    trusted,
                    webhookHosts,
                    openMetrics,
                    legacyHeaders,
                    maxConnections,
                    maxConnectionsPerAddress,
                    idleTimeout,
                    stopDeadline,
                    snapshotEvery,
                    maxCallPeriod);
        }
    }
}
