package io.sluice.spring.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.spring.web.TestApplication;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Starts applications with a YAML file of the guides. */
final class Apps {
    static final String[] ADA = user("ada@acme");
    static final String[] BOB = user("bob@small");

    private Apps() {}

    /** Users may sign in, and need not. */
    @Configuration(proxyBeanMethods = false)
    static class Security {
        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ada@acme").password("{noop}secret").build(),
                    User.withUsername("bob@small").password("{noop}secret").build());
        }
    }

    /** The header of a user who is signed in. */
    private static String[] user(String name) {
        String credentials = Base64.getEncoder().encodeToString((name + ":secret").getBytes(UTF_8));
        return new String[] {"Authorization", "Basic " + credentials};
    }

    /** The location of a YAML file, as a property. */
    static String config(String yaml) {
        return "spring.config.location=classpath:io/sluice/spring/migrate/" + yaml;
    }

    /** A servlet application with manual time and the memory store. */
    static TestApplication start(String yaml, Class<?> app, String... properties) {
        return new TestApplication(
                WebApplicationType.SERVLET,
                List.of(app, Security.class),
                Stream.concat(Stream.of(config(yaml), "sluice.store=memory"), Stream.of(properties))
                        .toList());
    }
}
