package io.sluice.benchmarks.spring.gateway;

import io.sluice.benchmarks.spring.launch.AppLauncher;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** The gateway. The benchmark sets its route, Redis and the filter. */
@SpringBootApplication
public class GatewayApp {
    public static void main(String... settings) {
        AppLauncher.run(GatewayApp.class, settings);
    }

    /** The key of the gateway's own RedisRateLimiter. */
    @Bean
    KeyResolver keys() {
        return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Api-Key"));
    }
}
