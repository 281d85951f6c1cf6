package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.TimeSource;
import io.sluice.spring.client.PartnerApi;
import io.sluice.spring.web.TestClient;
import io.sluice.testkit.ManualTime;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

@Tag("slow")
class GatewayAfterTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(TenantKeys.class)
    static class App {
        @Bean
        TimeSource time() {
            return new ManualTime();
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("ada@acme").password("{noop}secret").build(),
                    User.withUsername("bob@small").password("{noop}secret").build());
        }
    }

    private static ConfigurableApplicationContext start(String yaml, PartnerApi downstream) {
        return new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.REACTIVE)
                .bannerMode(Banner.Mode.OFF)
                .properties(
                        Apps.config(yaml),
                        "server.port=0",
                        "sluice.store=memory",
                        "orders.url=" + downstream.url(),
                        "reports.url=" + downstream.url())
                .run();
    }

    private static TestClient client(ConfigurableApplicationContext context) {
        return new TestClient(Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port")));
    }

    @Test
    void requestRateLimiter_besideThatOfTheGateway_limitsEachTenant() throws Exception {
        try (PartnerApi downstream = new PartnerApi();
                ConfigurableApplicationContext context = start("gateway-limiter.yaml", downstream)) {
            TestClient client = client(context);
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/orders/1", Apps.ADA).statusCode()).isEqualTo(200);
            }
            HttpResponse<String> denied = client.get("/orders/1", Apps.ADA);
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(client.get("/orders/1", Apps.BOB).statusCode()).isEqualTo(200);
            assertThat(downstream.requests()).isEqualTo(21);
        }
    }

    @Test
    void filter_limitsByThePoliciesOfTheRoute() throws Exception {
        try (PartnerApi downstream = new PartnerApi();
                ConfigurableApplicationContext context = start("gateway-filter.yaml", downstream)) {
            TestClient client = client(context);
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/orders/1", Apps.ADA).statusCode()).isEqualTo(200);
            }
            HttpResponse<String> denied = client.get("/orders/1", Apps.ADA);
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(denied.body()).contains("\"per-user\"");
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/reports/1", Apps.ADA).statusCode()).isEqualTo(200);
            }
            HttpResponse<String> report = client.get("/reports/1", Apps.ADA);
            assertThat(report.statusCode()).isEqualTo(429);
            assertThat(report.body()).contains("\"reports\"");
            assertThat(client.get("/reports/1", Apps.BOB).statusCode()).isEqualTo(200);
            assertThat(downstream.requests()).isEqualTo(24);
        }
    }
}
