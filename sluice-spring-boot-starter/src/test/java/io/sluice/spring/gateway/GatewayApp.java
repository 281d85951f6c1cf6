package io.sluice.spring.gateway;

import io.sluice.policy.PolicyDecision;
import io.sluice.spring.web.RequestScope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** A gateway that runs. */
final class GatewayApp implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {
        @Bean
        KeyResolver tenants() {
            return exchange ->
                    Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Tenant"));
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
                    User.withUsername("ada").password("{noop}secret").build());
        }

        /** As the WebFlux filter does, which has decided a request before the gateway gets it. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebFilter decided() {
            return (exchange, chain) -> {
                if (exchange.getRequest().getHeaders().getFirst("X-Decided") != null) {
                    exchange.getAttributes()
                            .put(RequestScope.ATTRIBUTE, new RequestScope(Map.of(), PolicyDecision.of()));
                }
                return chain.filter(exchange);
            };
        }

        @Bean
        BlockingQueue<RequestScope.End> ends() {
            return new LinkedBlockingQueue<>();
        }

        @Bean
        RouteLocator routes(
                RouteLocatorBuilder builder,
                SluiceGatewayFilterFactory sluice,
                BlockingQueue<RequestScope.End> ends,
                Environment environment) {
            return builder.routes()
                    .route(
                            "java",
                            route -> route.path("/java/**")
                                    .filters(filters -> filters.filter(
                                                    sluice.apply(config -> config.setPolicies(List.of("per-route"))))
                                            .filter((exchange, chain) -> {
                                                RequestScope scope =
                                                        exchange.getRequiredAttribute(RequestScope.ATTRIBUTE);
                                                scope.onEnd(ends::add);
                                                return chain.filter(exchange);
                                            }))
                                    .uri(environment.getRequiredProperty("downstream")))
                    .route(
                            "broken",
                            route -> route.path("/broken")
                                    .filters(filters -> filters.filter(
                                                    sluice.apply(config -> config.setPolicies(List.of("per-route"))))
                                            .filter((exchange, chain) -> {
                                                RequestScope scope =
                                                        exchange.getRequiredAttribute(RequestScope.ATTRIBUTE);
                                                scope.onEnd(ends::add);
                                                return Mono.error(new IllegalStateException("broken"));
                                            }))
                                    .uri(environment.getRequiredProperty("downstream")))
                    .build();
        }
    }

    /** Starts a gateway with routes of the form {@code id: filter} in front of a downstream, and with other settings. */
    GatewayApp(String downstream, List<String> routes, String... settings) {
        List<String> properties = new ArrayList<>(List.of(settings));
        properties.add("server.port=0");
        properties.add("downstream=" + downstream);
        properties.add("sluice.web.enabled=false");
        for (int i = 0; i < routes.size(); i++) {
            String prefix = "spring.cloud.gateway.server.webflux.routes[" + i + "].";
            String[] lines = routes.get(i).split("\n", -1);
            properties.add(prefix + "id=" + lines[0]);
            properties.add(prefix + "uri=" + downstream);
            properties.add(prefix + "predicates[0]=Path=/" + lines[0] + "/**");
            for (int line = 1; line < lines.length; line++) {
                properties.add(prefix + lines[line].strip());
            }
        }
        context = new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.REACTIVE)
                .properties(properties.toArray(String[]::new))
                .run();
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    /** Sends a GET request, with pairs of header names and values. */
    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port") + path))
                .timeout(Duration.ofMinutes(1));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    int status(String path, String... headers) throws IOException, InterruptedException {
        return get(path, headers).statusCode();
    }

    @Override
    public void close() {
        context.close();
    }
}
