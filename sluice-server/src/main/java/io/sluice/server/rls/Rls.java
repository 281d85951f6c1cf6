package io.sluice.server.rls;

import io.sluice.CallLimiter;
import io.sluice.server.decide.CallPeriod;
import io.sluice.server.decide.Checks;
import io.sluice.server.rls.HealthWatches.Health;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Puts the gRPC services together. */
public final class Rls {
    private final Checks checks;
    private final OverrideLimits overrides;
    private DescriptorMatcher matcher = new AttributeMatcher();
    private BooleanSupplier ready = () -> true;
    private BooleanSupplier stopping = () -> false;
    private boolean legacyHeaders;

    /**
     * Services that decide by policies that see the entries of descriptors as attributes.
     *
     * @param overridden what counts by the limits that come with descriptors, on the store of the checks
     * @param periods how long their units may be
     */
    public Rls(Checks checks, CallLimiter overridden, CallPeriod periods) {
        this.checks = checks;
        this.overrides = new OverrideLimits(overridden, periods);
    }

    /** Whether descriptors match as the envoyproxy/ratelimit files say that the policies come from. */
    public Rls matchingEnvoyFiles(boolean matching) {
        matcher = matching ? new EnvoyMatcher() : new AttributeMatcher();
        return this;
    }

    /** Who knows whether the server can decide. */
    public Rls ready(BooleanSupplier ready) {
        this.ready = ready;
        return this;
    }

    /** Who knows whether the server stops; then nobody can watch it any more. */
    public Rls stopping(BooleanSupplier stopping) {
        this.stopping = stopping;
        return this;
    }

    /** Whether to add {@code X-RateLimit-*} as well. */
    public Rls legacyHeaders(boolean legacy) {
        this.legacyHeaders = legacy;
        return this;
    }

    /** What answers the calls. */
    public GrpcHandler handler(Vertx vertx) {
        GrpcHandler handler = new GrpcHandler(vertx);
        new RateLimitService(checks, matcher, overrides, legacyHeaders).addTo(handler);
        Supplier<Health> health = () -> new Health(ready.getAsBoolean(), stopping.getAsBoolean());
        HealthWatches watches = new HealthWatches(health);
        watches.start(vertx);
        new HealthService(health, Set.of("", RateLimitService.NAME), watches).addTo(handler);
        return handler;
    }
}
