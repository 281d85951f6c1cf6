package io.sluice.policy.engine;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.adapt.ScaledLimit;
import io.sluice.policy.Charging;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Mode;
import io.sluice.policy.Policy;
import io.sluice.policy.Scope;
import io.sluice.policy.match.AttributeSlots;
import io.sluice.policy.match.CompiledMatch;
import io.sluice.policy.match.KeyFormat;
import io.sluice.policy.match.KeyParser;
import io.sluice.policy.match.MatchIndex;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.spi.Taking;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A compiled policy. Immutable, except for its counters. */
final class Rule {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    final Policy policy;
    final PolicyCounters counters;
    final KeyFormat key;

    /** Whether the shared store counts; else the memory store of this process does. */
    final boolean shared;

    /** Which processes share the state: {@link Scope#PROCESS} if only the memory of this one counts. */
    final Scope scope;

    /** Whether the policy can deny; else its verdict is only reported. */
    final boolean enforces;

    /** When its permits are taken. */
    final Taking taking;

    /** What the numbers of its limits are multiplied by; null if they do not follow a signal. */
    final @Nullable BigDecimal factor;

    private final PolicyLimit ownLimit;
    private final MatchIndex overrides;
    private final PolicyLimit[] overrideLimits;

    /** Matches the requests that may use the kept permits; null if the policy has no reserve. */
    private final @Nullable CompiledMatch reserveMatch;

    private final AttributeSlots attributes;
    private final TemporaryLimits temporaries;

    /** The temporary overrides of this rule, as of the latest version that a request has met. */
    private volatile Temporaries compiled = Temporaries.NONE;

    /** @param limits by the text of the key */
    private record Temporaries(TemporaryLimits.Version version, Map<String, TemporaryLimit> limits) {
        static final Temporaries NONE = new Temporaries(TemporaryLimits.Version.EMPTY, Map.of());
    }

    /** @param overrideLimits one for each override of the policy */
    Rule(
            Policy policy,
            boolean shared,
            Scope scope,
            AttributeSlots attributes,
            PolicyLimit ownLimit,
            List<PolicyLimit> overrideLimits,
            @Nullable BigDecimal factor,
            PolicyCounters counters,
            TemporaryLimits temporaries) {
        this(
                policy,
                shared,
                scope,
                factor,
                counters,
                new KeyFormat(policy.key(), attributes),
                ownLimit,
                policy.overrides().isEmpty()
                        ? MatchIndex.EMPTY
                        : new MatchIndex(
                                policy.overrides().stream()
                                        .map(LimitOverride::match)
                                        .toList(),
                                attributes),
                overrideLimits.toArray(PolicyLimit[]::new),
                policy.reserve() == null
                        ? null
                        : new CompiledMatch(policy.reserve().match(), attributes),
                attributes,
                temporaries);
    }

    private Rule(
            Policy policy,
            boolean shared,
            Scope scope,
            @Nullable BigDecimal factor,
            PolicyCounters counters,
            KeyFormat key,
            PolicyLimit ownLimit,
            MatchIndex overrides,
            PolicyLimit[] overrideLimits,
            @Nullable CompiledMatch reserveMatch,
            AttributeSlots attributes,
            TemporaryLimits temporaries) {
        this.attributes = attributes;
        this.temporaries = temporaries;
        this.policy = policy;
        this.shared = shared;
        this.scope = scope;
        this.enforces = policy.mode() == Mode.ENFORCE;
        this.taking = policy.charge() == Charging.ALWAYS ? Taking.ALWAYS : Taking.IF_ADMITTED;
        this.factor = factor;
        this.counters = counters;
        this.key = key;
        this.ownLimit = ownLimit;
        this.overrides = overrides;
        this.overrideLimits = overrideLimits;
        this.reserveMatch = reserveMatch;
    }

    /** The same rule with the limits that are in force now. */
    Rule withLimits(Map<RateLimiter, Limit> limits) {
        return with(factor, limit -> withLimits(limit, limits));
    }

    /** The same rule with limits that are multiplied by another factor. Puts nothing in force. */
    Rule withFactor(BigDecimal newer) {
        return with(newer, limit -> limit.withLimit(wanted(limit, newer), policy.reserve()));
    }

    private Rule with(@Nullable BigDecimal newer, UnaryOperator<PolicyLimit> limits) {
        return new Rule(
                policy,
                shared,
                scope,
                newer,
                counters,
                key,
                limits.apply(ownLimit),
                overrides,
                Arrays.stream(overrideLimits).map(limits).toArray(PolicyLimit[]::new),
                reserveMatch,
                attributes,
                temporaries);
    }

    /** The limit that the policy file wants, times the factor. */
    Limit wanted(PolicyLimit limit) {
        return wanted(limit, factor);
    }

    private Limit wanted(PolicyLimit limit, @Nullable BigDecimal by) {
        LimitOverride override = limit.override();
        Limit written = override == null ? policy.limit() : override.limit();
        return by == null ? written : ScaledLimit.of(written, by).limit();
    }

    /** Puts the limits of this rule in force. */
    void update() {
        Stream.concat(Stream.of(ownLimit), Arrays.stream(overrideLimits)).forEach(limit -> {
            RateLimiter limiter = limit.limiter();
            if (limiter != null && !limiter.limits().equals(List.of(limit.limit()))) {
                limiter.update(limit.limit());
            }
        });
    }

    private PolicyLimit withLimits(PolicyLimit limit, Map<RateLimiter, Limit> limits) {
        Limit now = limit.limiter() == null ? null : limits.get(limit.limiter());
        return now == null ? limit : limit.withLimit(now, policy.reserve());
    }

    /** The limiters of the policy and its overrides. */
    List<RateLimiter> limiters() {
        List<RateLimiter> limiters = new ArrayList<>();
        Stream.concat(Stream.of(ownLimit), Arrays.stream(overrideLimits)).forEach(limit -> {
            if (limit.limiter() != null) {
                limiters.add(limit.limiter());
            }
        });
        return limiters;
    }

    /** The limit for a request that matches the policy. */
    PolicyLimit limitFor(@Nullable String[] values) {
        if (overrideLimits.length == 0) {
            return ownLimit;
        }
        int first = overrides.first(values);
        return first < 0 ? ownLimit : overrideLimits[first];
    }

    /** The limit for a request that matches the policy, or the temporary one of its key. */
    PolicyLimit limitFor(@Nullable String[] values, String key) {
        PolicyLimit limit = limitFor(values);
        TemporaryLimit temporary = temporaryFor(key);
        return temporary == null ? limit : limit.temporarily(temporary, policy.reserve());
    }

    /** The temporary override of a key that holds now; null if there is none. */
    @SuppressWarnings("ReferenceEquality")
    @Nullable
    TemporaryLimit temporaryFor(String key) {
        TemporaryLimits.Version version = temporaries.version();
        if (version == TemporaryLimits.Version.EMPTY) {
            return null;
        }
        Temporaries known = compiled;
        if (known.version != version) {
            known = new Temporaries(version, temporaries.compile(this, version));
            compiled = known;
        }
        TemporaryLimit found = known.limits.get(key);
        return found == null || found.override().isOver(temporaries.now()) ? null : found;
    }

    /**
     * The text of a key.
     *
     * @param shown the values of the key
     * @throws IllegalArgumentException if these are not the parts of the key
     */
    String keyText(Map<String, String> shown) {
        return Objects.requireNonNull(key.format(values(shown)));
    }

    /** The key for a reader, from what a reader wrote. */
    Map<String, String> display(Map<String, String> shown) {
        return key.display(values(shown));
    }

    private @Nullable String[] values(Map<String, String> shown) {
        return attributes.values(KeyParser.attributes(policy.key(), shown));
    }

    /** A request does not enter, so this policy does not apply: its caller could not give back what it holds. */
    void skip() {
        if (counters.countSkipped()) {
            LOG.log(
                    Level.WARNING,
                    "policy \"{0}\": its concurrency limit does not apply to requests that take permits without entering, such as those"
                            + " of /v1/auth, Envoy RLS, charge and reserve, because these cannot give back (logged once)",
                    policy.name());
        }
    }

    /** The permits that are kept from this request. */
    long keptFrom(@Nullable String[] values, PolicyLimit limit) {
        return reserveMatch == null || reserveMatch.matches(values) ? 0 : limit.kept();
    }

    /** The policy's own limit, and those of its overrides that can apply. */
    Stream<PolicyLimit> limits() {
        Set<String> seen = new HashSet<>();
        return Stream.concat(
                Stream.of(ownLimit),
                Arrays.stream(overrideLimits)
                        .filter(limit -> limit.override() != null
                                && seen.add(limit.override().match().toString())));
    }

    MatchIndex overrides() {
        return overrides;
    }
}
