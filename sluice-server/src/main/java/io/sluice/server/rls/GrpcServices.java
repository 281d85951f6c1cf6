package io.sluice.server.rls;

import io.sluice.CallLimiter;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.decide.RequestDecider;
import io.sluice.server.rls.HealthWatches.Health;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Builds the gRPC services: rate limit and health. */
public final class GrpcServices {
    private final RequestDecider decider;
    private final OverrideLimits overrides;
    private DescriptorMatcher matcher = new AttributeMatcher();
    private BooleanSupplier ready = () -> true;
    private BooleanSupplier stopping = () -> false;
    private boolean legacyHeaders;

    /**
     * Creates services whose policies see the entries of descriptors as attributes.
     *
     * @param descriptorLimiter enforces the limits that come with descriptors; must use the store of the decider
     * @param maxPeriod the longest unit of such a limit
     */
    public GrpcServices(RequestDecider decider, CallLimiter descriptorLimiter, MaxCallPeriod maxPeriod) {
        this.decider = decider;
        this.overrides = new OverrideLimits(descriptorLimiter, maxPeriod);
    }

    /** Whether the policies come from envoyproxy/ratelimit files. Then descriptors match by their rules. */
    public GrpcServices matchingEnvoyFiles(boolean matching) {
        matcher = matching ? new EnvoyMatcher() : new AttributeMatcher();
        return this;
    }

    /** Sets the source of the readiness, which the health service reports. */
    public GrpcServices ready(BooleanSupplier ready) {
        this.ready = ready;
        return this;
    }

    /** Sets the source of whether the server stops, which ends every health watch. */
    public GrpcServices stopping(BooleanSupplier stopping) {
        this.stopping = stopping;
        return this;
    }

    /** Whether to add {@code X-RateLimit-*} headers. */
    public GrpcServices legacyHeaders(boolean legacy) {
        this.legacyHeaders = legacy;
        return this;
    }

    /** Builds the handler of all services. */
    public GrpcHandler handler(Vertx vertx) {
        GrpcHandler handler = new GrpcHandler(vertx);
        new RateLimitService(decider, matcher, overrides, legacyHeaders).addTo(handler);
        Supplier<Health> health = () -> new Health(ready.getAsBoolean(), stopping.getAsBoolean());
        HealthWatches watches = new HealthWatches(health);
        watches.start(vertx);
        new HealthService(health, Set.of("", RateLimitService.NAME), watches).addTo(handler);
        return handler;
    }
}
