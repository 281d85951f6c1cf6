package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** The builders of Spring Boot itself pace their clients. */
@Tag("slow")
class BootClientsTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}

    /** RestTemplateBuilder has another package in Spring Boot 4. */
    private static RestTemplate restTemplate(ConfigurableApplicationContext context) throws Exception {
        Object builder = context.getBean("restTemplateBuilder");
        return (RestTemplate) builder.getClass().getMethod("build").invoke(builder);
    }

    private static @Nullable String get(WebClient client, String url) {
        return client.get().uri(url).retrieve().bodyToMono(String.class).block();
    }

    @Test
    void buildersOfSpringBoot_paceTogether() throws Exception {
        try (PartnerApi api = new PartnerApi();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(App.class)
                        .web(WebApplicationType.NONE)
                        .properties(
                                "spring.cloud.gateway.server.webflux.enabled=false",
                                "spring.cloud.gateway.server.webflux.redis.enabled=false",
                                "sluice.store=memory",
                                "sluice.clients.partner.url=" + api.url() + "/**",
                                "sluice.clients.partner.limit=3/h",
                                "sluice.clients.partner.max-wait=0s")
                        .run()) {
            RestTemplate template = restTemplate(context);
            RestClient client = context.getBean(RestClient.Builder.class).build();
            assertThat(template.getForObject(api.url() + "/a", String.class)).isEqualTo("from the API");
            assertThat(client.get().uri(api.url() + "/a").retrieve().body(String.class))
                    .isEqualTo("from the API");
            WebClient web = context.getBean(WebClient.Builder.class).build();
            assertThat(get(web, api.url() + "/a")).isEqualTo("from the API");
            assertThatThrownBy(() -> template.getForObject(api.url() + "/a", String.class))
                    .isInstanceOf(RateLimitedException.class);
            assertThatThrownBy(
                            () -> client.get().uri(api.url() + "/a").retrieve().body(String.class))
                    .isInstanceOf(RateLimitedException.class);
            assertThatThrownBy(() -> get(web, api.url() + "/a")).isInstanceOf(RateLimitedException.class);
            assertThat(api.requests()).isEqualTo(3);
        }
    }
}
