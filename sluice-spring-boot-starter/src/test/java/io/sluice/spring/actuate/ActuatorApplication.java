package io.sluice.spring.actuate;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.WithoutGateway;
import io.sluice.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** A running application with the actuator, on a free port. Nobody has to sign in. Close it after use. */
final class ActuatorApplication implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;
    private final ManualTime time = new ManualTime();

    ActuatorApplication(WebApplicationType type, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "server.port=0",
                "management.health.redis.enabled=false",
                WithoutGateway.ENABLED,
                WithoutGateway.REDIS));
        all.addAll(List.of(properties));
        Class<?> security = type == WebApplicationType.SERVLET ? ServletSecurity.class : ReactiveSecurity.class;
        context = new SpringApplicationBuilder(Application.class, security)
                .web(type)
                .properties(all.toArray(String[]::new))
                .bannerMode(Banner.Mode.OFF)
                .initializers(created -> created.getBeanFactory().registerSingleton("manualTime", time))
                .run();
    }

    PolicyEngine engine() {
        return context.getBean(PolicyEngine.class);
    }

    ManualTime time() {
        return time;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class ServletSecurity {
        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ReactiveSecurity {
        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .build();
        }
    }
}
