package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.ImportHttpServices;

/** Interfaces whose clients Spring Boot builds. Their builders are no beans. */
@Tag("slow")
class Boot4HttpServicesTest {
    interface Blocking {
        @GetExchange("/a")
        String get();
    }

    interface Reactive {
        @GetExchange("/a")
        String get();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ImportHttpServices(group = "blocking", types = Blocking.class)
    @ImportHttpServices(group = "reactive", types = Reactive.class, clientType = ClientType.WEB_CLIENT)
    static class App {}

    @Test
    void httpServices_arePacedTogether() throws Exception {
        try (PartnerApi api = new PartnerApi();
                ConfigurableApplicationContext context = new SpringApplicationBuilder(App.class)
                        .web(WebApplicationType.NONE)
                        .properties(
                                "spring.cloud.gateway.server.webflux.enabled=false",
                                "spring.cloud.gateway.server.webflux.redis.enabled=false",
                                "spring.http.serviceclient.blocking.base-url=" + api.url(),
                                "spring.http.serviceclient.reactive.base-url=" + api.url(),
                                "sluice.store=memory",
                                "sluice.clients.partner.url=" + api.url() + "/**",
                                "sluice.clients.partner.limit=2/h",
                                "sluice.clients.partner.max-wait=0s")
                        .run()) {
            Blocking blocking = context.getBean(Blocking.class);
            Reactive reactive = context.getBean(Reactive.class);
            assertThat(blocking.get()).isEqualTo("from the API");
            assertThat(reactive.get()).isEqualTo("from the API");
            assertThatThrownBy(blocking::get).isInstanceOf(RateLimitedException.class);
            assertThatThrownBy(reactive::get).isInstanceOf(RateLimitedException.class);
            assertThat(api.requests()).isEqualTo(2);
        }
    }
}
