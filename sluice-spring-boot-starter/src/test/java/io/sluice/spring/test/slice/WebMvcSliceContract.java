package io.sluice.spring.test.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.sluice.spring.test.AutoConfigureSluice;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** A slice of Spring MVC. {@code @WebMvcTest} has another package in each line of Spring Boot, so each line has a subclass. */
@Tag("slow")
@AutoConfigureSluice
@TestPropertySource(
        properties = {
            "sluice.policies[0].name=per-tenant",
            "sluice.policies[0].key=header.x-tenant",
            "sluice.policies[0].limit=2/h",
            "sluice.redis.uri=redis://localhost:1"
        })
public abstract class WebMvcSliceContract {
    @Autowired
    ApplicationContext context;

    @Autowired
    MockMvc mvc;

    @Autowired
    ManualTime time;

    /** The builder of requests has other methods in Spring 7, so code that is compiled for Spring 6 cannot call them there. */
    private ResultActions get(String path, String tenant) throws Exception {
        return mvc.perform(servletContext -> {
            MockHttpServletRequest request = new MockHttpServletRequest(servletContext, "GET", path);
            request.addHeader("X-Tenant", tenant);
            return request;
        });
    }

    /** It runs twice, and so shows that each method has fresh limits. */
    @RepeatedTest(2)
    void request_beyondTheLimit_isDeniedUntilTimeMoves() throws Exception {
        for (int left = 1; left >= 0; left--) {
            get("/orders", "acme")
                    .andExpect(status().isOk())
                    .andExpect(content().string("orders"))
                    .andExpect(header().string("RateLimit", containsString("\"per-tenant\";r=" + left)));
        }
        get("/orders", "acme")
                .andExpect(status().isTooManyRequests())
                .andExpect(header().string("Retry-After", "1800"))
                .andExpect(content().string(containsString("quota-exceeded")));
        get("/orders", "other").andExpect(status().isOk());
        time.advance(Duration.ofMinutes(30));
        get("/orders", "acme").andExpect(status().isOk());
    }

    @Test
    void annotatedHandler_isLimited() throws Exception {
        get("/report", "acme").andExpect(status().isOk());
        get("/report", "acme").andExpect(status().isTooManyRequests());
    }

    @Test
    void context_isThatOfASlice() {
        assertThat(context.getBeanNamesForType(OrderController.class)).hasSize(1);
        assertThat(context.getBeanNamesForType(OrderRepository.class)).isEmpty();
    }
}
