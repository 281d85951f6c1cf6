package io.sluice.spring;

import io.sluice.OnFailure;
import io.sluice.http.ClientAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code sluice}.
 *
 * @param enabled Whether Sluice limits anything. If false, there are no filters, and annotated methods are called as they are.
 * @param config The file with the policies, such as classpath:policies.yaml or file:/etc/app/policies.yaml. A file: is read
 *     again whenever it changes.
 * @param policies The policies, with the fields of a policy file.
 * @param alerts The alerts, with the fields of a policy file.
 * @param store Where permits are counted. auto: in Redis if the application has a Lettuce connection factory or
 *     sluice.redis.uri is set, else in the memory of this process.
 * @param redis The store in Redis.
 * @param web The filters for HTTP requests.
 * @param methods Methods with @RateLimited.
 * @param clients The APIs of others that the HTTP clients of this application call, by a name of your choice.
 */
@ConfigurationProperties("sluice")
public record SluiceProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String config,
        @DefaultValue List<PolicyProperties> policies,
        @DefaultValue List<AlertProperties> alerts,
        @DefaultValue("auto") StoreKind store,
        @DefaultValue Redis redis,
        @DefaultValue Web web,
        @DefaultValue Methods methods,
        @DefaultValue Map<String, Client> clients) {

    /** Where permits are counted. */
    public enum StoreKind {
        /** In Redis if the application has one, else in memory. */
        AUTO,
        /** In the memory of this process. */
        MEMORY,
        /** In Redis. */
        REDIS
    }

    /**
     * The store in Redis.
     *
     * @param uri The addresses of a Redis for Sluice alone: redis://, rediss:// or redis-sentinel://. Without it, the Lettuce
     *     connection factory of the application is used.
     * @param prefix The beginning of all keys. Applications with different prefixes have separate limits.
     * @param deadline The maximum time of a call. After that, the call is decided without Redis.
     * @param connectWait The maximum time that the start of the application waits for Redis.
     * @param onFailure What limits of @RateLimited(limit = ...) and of clients do if Redis does not answer. Policies have
     *     their own on-store-failure. With allow and deny, calls that can wait (maxWait, clients) wait for Redis.
     */
    public record Redis(
            @DefaultValue List<String> uri,
            @DefaultValue("sluice") String prefix,
            @DefaultValue("100ms") Duration deadline,
            @DefaultValue("2s") Duration connectWait,
            @DefaultValue("allow") OnFailure onFailure) {}

    /**
     * The filters for HTTP requests.
     *
     * @param enabled Whether HTTP requests are decided by the policies.
     * @param position Whether the filter runs before or after Spring Security. Only after it is the attribute "user" known.
     * @param exclude The paths that are not limited, as texts or globs. Health probes should not be denied.
     * @param trustedProxies The addresses or networks of the proxies whose forwarded headers are believed.
     * @param forwardedHeader The header that the trusted proxies write.
     * @param headers Whether responses have the RateLimit headers.
     * @param legacyHeaders Whether responses also have X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.
     * @param costs The policies for costs that are known only afterwards. The filters look at them with 0 permits; the bean
     *     Sluice or ReactiveSluice charges them. Without it, that bean charges all policies that the filters decide.
     */
    public record Web(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("after-security") Position position,
            @DefaultValue("/actuator/**") List<String> exclude,
            @DefaultValue({"127.0.0.0/8", "::1"}) List<String> trustedProxies,
            @DefaultValue("either") ClientAddress.Header forwardedHeader,
            @DefaultValue("true") boolean headers,
            @DefaultValue("false") boolean legacyHeaders,
            @DefaultValue List<String> costs) {}

    /** The position of the filter in the chain. */
    public enum Position {
        /** Before Spring Security: also requests that it refuses are counted, but the user is not known. */
        BEFORE_SECURITY,
        /** After Spring Security: the user is known, but requests that it refuses are not counted. */
        AFTER_SECURITY
    }

    /**
     * Methods with {@code @RateLimited}.
     *
     * @param enabled Whether @RateLimited has an effect.
     */
    public record Methods(@DefaultValue("true") boolean enabled) {}

    /**
     * An API of somebody else.
     *
     * @param url The requests to pace, by scheme, host and path, such as https://api.partner.com/**. All requests of a client
     *     that is created for this name, if it is absent.
     * @param limit The limit of the API, such as leaky-bucket 18 per 10100ms.
     * @param policy The name of a policy instead of a limit. Its attributes are client, host, path and method.
     * @param key The key of the limit: host (the default), header.NAME for the value of a request header, or a fixed text.
     * @param maxWait The maximum time that a call waits for its turn. After that, it fails with RateLimitedException.
     * @param honourRetryAfter Whether Retry-After and RateLimit headers of the API pause all callers.
     * @param maxPause The longest pause that an answer of the API can cause.
     */
    public record Client(
            @Nullable String url,
            @Nullable String limit,
            @Nullable String policy,
            @Nullable String key,
            @DefaultValue("10s") Duration maxWait,
            @DefaultValue("true") boolean honourRetryAfter,
            @DefaultValue("10m") Duration maxPause) {}
}
