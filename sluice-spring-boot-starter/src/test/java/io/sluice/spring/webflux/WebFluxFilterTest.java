package io.sluice.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import io.sluice.spring.web.Endings;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.spring.web.TestApplication;
import io.sluice.spring.web.WebFilterContract;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

class WebFluxFilterTest extends WebFilterContract {
    @Override
    protected TestApplication start(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("sluice.store=memory");
        return new TestApplication(WebApplicationType.REACTIVE, List.of(Application.class, Attributes.class), all);
    }

    @Test
    void scope_ofCancelledRequest_ends() throws Exception {
        try (TestApplication app = start("sluice.policies[0].name=p", "sluice.policies[0].limit=100/h")) {
            Endings endings = app.bean(Endings.class);
            int port = app.client().uri("/").getPort();
            try (Socket socket = new Socket("localhost", port)) {
                socket.getOutputStream()
                        .write("GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                endings.awaitWatched();
            }
            assertThat(endings.next().ending()).isEqualTo(Ending.CANCELLED);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Application {
        private final Endings endings;

        Application(Endings endings) {
            this.endings = endings;
        }

        @GetMapping("/hello")
        String hello() {
            return "hello";
        }

        @GetMapping("/items/{id}")
        String item(@PathVariable("id") String id) {
            return id;
        }

        @GetMapping("/scope")
        Mono<String> scope(ServerWebExchange exchange) {
            watch(exchange);
            return exchange.getRequest().getURI().getQuery() == null
                    ? Mono.just("scope")
                    : Mono.error(new IllegalStateException("as the test wants"));
        }

        @GetMapping("/never")
        Mono<String> never(ServerWebExchange exchange) {
            watch(exchange);
            return Mono.never();
        }

        private void watch(ServerWebExchange exchange) {
            if (exchange.getAttribute(RequestScope.ATTRIBUTE) instanceof RequestScope scope) {
                endings.watch(scope);
            }
        }

        @Bean
        static SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/secret")
                            .authenticated()
                            .anyExchange()
                            .permitAll())
                    .httpBasic(withDefaults())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .build();
        }

        @Bean
        static MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(User.withUsername("ada")
                    .password("{noop}secret")
                    .roles("USER")
                    .build());
        }
    }
}
