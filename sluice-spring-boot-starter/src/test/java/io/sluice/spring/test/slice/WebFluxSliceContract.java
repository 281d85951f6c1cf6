package io.sluice.spring.test.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.test.AutoConfigureSluice;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A slice of WebFlux. {@code @WebFluxTest} has another package in each line of Spring Boot, so each line has a subclass. */
@Tag("slow")
@AutoConfigureSluice
@TestPropertySource(
        properties = {
            "sluice.policies[0].name=per-tenant",
            "sluice.policies[0].key=header.x-tenant",
            "sluice.policies[0].limit=2/h",
            "sluice.redis.uri=redis://localhost:1"
        })
public abstract class WebFluxSliceContract {
    @Autowired
    ApplicationContext context;

    @Autowired
    WebTestClient client;

    @Autowired
    ManualTime time;

    /** The assertions of the client have other methods in Spring 7, so code that is compiled for Spring 6 cannot call them there. */
    private EntityExchangeResult<String> get(String path, String tenant) {
        return client.get()
                .uri(path)
                .header("X-Tenant", tenant)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private int status(String path, String tenant) {
        return get(path, tenant).getStatus().value();
    }

    /** It runs twice, and so shows that each method has fresh limits. */
    @RepeatedTest(2)
    void request_beyondTheLimit_isDeniedUntilTimeMoves() {
        for (int left = 1; left >= 0; left--) {
            EntityExchangeResult<String> allowed = get("/orders", "acme");
            assertThat(allowed.getStatus().value()).isEqualTo(200);
            assertThat(allowed.getResponseHeaders().getFirst("RateLimit")).startsWith("\"per-tenant\";r=" + left);
            assertThat(allowed.getResponseBody()).isEqualTo("orders");
        }
        EntityExchangeResult<String> denied = get("/orders", "acme");
        assertThat(denied.getStatus().value()).isEqualTo(429);
        assertThat(denied.getResponseHeaders().getFirst("Retry-After")).isEqualTo("1800");
        assertThat(denied.getResponseBody()).contains("quota-exceeded");
        assertThat(status("/orders", "other")).isEqualTo(200);
        time.advance(Duration.ofMinutes(30));
        assertThat(status("/orders", "acme")).isEqualTo(200);
    }

    @Test
    void annotatedHandler_isLimited() {
        assertThat(status("/report", "acme")).isEqualTo(200);
        assertThat(status("/report", "acme")).isEqualTo(429);
    }

    @Test
    void context_isThatOfASlice() {
        assertThat(context.getBeanNamesForType(OrderController.class)).hasSize(1);
        assertThat(context.getBeanNamesForType(OrderRepository.class)).isEmpty();
    }
}
