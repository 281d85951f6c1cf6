package io.sluice.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.web.NettyServer;
import io.sluice.spring.web.TestApplication;
import io.sluice.spring.web.WebFilterContract;
import io.sluice.spring.web.WebRedisContract;
import io.sluice.testkit.redis.RedisProcess;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;

/** On Reactor Netty, as most WebFlux applications. */
class WebFluxRedisIT extends WebRedisContract {
    @Configuration(proxyBeanMethods = false)
    @Import(NettyServer.class)
    static class OnNetty {
        /** Right behind the filter of Sluice: Spring Security, which comes later, changes the thread itself. */
        @Bean
        @Order(-104)
        WebFilter behind() {
            return (exchange, chain) -> {
                exchange.getResponse()
                        .getHeaders()
                        .set("X-Thread", Thread.currentThread().getName());
                return chain.filter(exchange);
            };
        }
    }

    @Override
    protected TestApplication start(List<String> properties) {
        return new TestApplication(
                WebApplicationType.REACTIVE,
                List.of(WebFluxFilterTest.Application.class, WebFilterContract.Attributes.class, OnNetty.class),
                properties);
    }

    /** Not on the thread of the connection to Redis, and without a hop to another one. */
    @Test
    void request_decidedByRedis_continuesOnItsEventLoop() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                TestApplication app = startWithPolicies(
                        List.of("spring.data.redis.port=" + redis.port(), "sluice.web.position=before-security"))) {
            assertThat(app.client()
                            .get("/hello", "X-Tenant", "acme")
                            .headers()
                            .firstValue("X-Thread")
                            .orElseThrow())
                    .startsWith("reactor-http-");
        }
    }
}
