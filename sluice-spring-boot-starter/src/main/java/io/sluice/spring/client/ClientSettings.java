package io.sluice.spring.client;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.SluiceSettingsException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes clients of their settings, and refuses settings that cannot work. */
final class ClientSettings {
    private final PolicyStore store;
    private final PolicyEngine engine;
    private final NamedPolicies named;
    private final DecisionObserver observer;
    private final OnFailure onFailure;
    private final TimeSource time;

    ClientSettings(
            PolicyStore store,
            PolicyEngine engine,
            NamedPolicies named,
            DecisionObserver observer,
            OnFailure onFailure,
            TimeSource time) {
        this.store = store;
        this.engine = engine;
        this.named = named;
        this.observer = observer;
        this.onFailure = onFailure;
        this.time = time;
    }

    PacedClient client(String name, SluiceProperties.Client settings) {
        UrlPattern url = url(name, settings.url());
        return new PacedClient(name, url, pacing(name, settings), settings, observer, time);
    }

    /** A client that lets every request through, because Sluice is not enabled. */
    static PacedClient disabled(String name, SluiceProperties.Client settings) {
        return new PacedClient(
                name, url(name, settings.url()), Pacing.NONE, settings, DecisionObserver.NONE, TimeSource.system());
    }

    private static @Nullable UrlPattern url(String name, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return UrlPattern.parse(text);
        } catch (IllegalArgumentException e) {
            throw new SluiceSettingsException(
                    setting(name, "url") + ": " + e.getMessage(), "Correct " + setting(name, "url") + ".");
        }
    }

    private Pacing pacing(String name, SluiceProperties.Client settings) {
        String limit = settings.limit();
        String policy = settings.policy();
        if (limit != null && policy == null) {
            return new LimitPacing(limiter(name, limit), ClientKey.parse(settings.key()), settings.maxWait());
        }
        if (policy == null || limit != null) {
            throw new SluiceSettingsException(
                    setting(name, "limit") + ": " + limit + ", " + setting(name, "policy") + ": " + policy
                            + " (expected: one of them)",
                    "Set either the limit or the policy of the client.");
        }
        if (settings.key() != null) {
            throw new SluiceSettingsException(
                    setting(name, "key") + ": \"" + settings.key()
                            + "\" beside a policy (expected: only beside a limit)",
                    "Remove the key: the policy has its own, of the attributes client, host, path and method.");
        }
        if (engine.policies().policies().stream()
                .noneMatch(known -> known.name().equals(policy))) {
            throw SluiceSettingsException.unknownPolicy(setting(name, "policy"), policy, engine.policies());
        }
        named.add(policy);
        return new PolicyPacing(engine, policy, name, settings.maxWait());
    }

    /** Puts the limit in force, also if another version of the application has set another one before. */
    private RateLimiter limiter(String name, String text) {
        Limit limit;
        try {
            limit = Limit.parse(text);
        } catch (IllegalArgumentException e) {
            throw new SluiceSettingsException(
                    setting(name, "limit") + ": " + e.getMessage(),
                    "Write a limit such as 10/s, or leaky-bucket 18 per 10100ms.");
        }
        if (limit.algorithm().holds()) {
            throw new SluiceSettingsException(
                    setting(name, "limit") + ": " + text
                            + " (expected: a limit of requests in a time, because nobody gives"
                            + " back the permit of a client)",
                    "Write a limit such as 10/s, or put @RateLimited(limit = \"" + text
                            + "\") on the method that calls the API.");
        }
        // A call that can wait must not go on uncounted while Redis is away. With DENY, it waits for Redis.
        OnFailure waiting = onFailure == OnFailure.ALLOW ? OnFailure.DENY : onFailure;
        LimiterSpec spec = new LimiterSpec("client:" + name, LimiterOptions.onFailure(waiting), limit);
        return store.enforce(List.of(spec)).get(0);
    }

    private static String setting(String client, String field) {
        return "sluice.clients." + client + "." + field;
    }
}
