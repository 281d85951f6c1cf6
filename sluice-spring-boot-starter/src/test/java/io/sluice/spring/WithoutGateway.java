package io.sluice.spring;

/** Properties that switch off Spring Cloud Gateway, which is on the class path for its own tests. */
public final class WithoutGateway {
    public static final String ENABLED = "spring.cloud.gateway.server.webflux.enabled=false";
    public static final String REDIS = "spring.cloud.gateway.server.webflux.redis.enabled=false";

    private WithoutGateway() {}
}
