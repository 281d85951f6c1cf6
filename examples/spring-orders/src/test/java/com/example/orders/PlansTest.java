package com.example.orders;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.sluice.spring.test.AutoConfigureSluice;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** The limits of {@code application.yaml}, with manual time: a day takes no time, and there is no Redis. */
@SpringBootTest(properties = "orders.shipping-every=1h")
@AutoConfigureMockMvc
@AutoConfigureSluice
class PlansTest {
    @Autowired
    private MockMvc mvc;

    @Autowired
    private ManualTime time;

    @Test
    void freePlan_has20OrdersInADay() throws Exception {
        for (int i = 0; i < 20; i++) {
            order("free-key").andExpect(status().isCreated());
        }
        order("free-key").andExpect(status().isTooManyRequests()).andExpect(header().string("Retry-After", "86400"));
        time.advance(Duration.ofDays(1));
        order("free-key").andExpect(status().isCreated());
    }

    @Test
    void proPlan_hasMore() throws Exception {
        for (int i = 0; i < 21; i++) {
            order("pro-key").andExpect(status().isCreated());
        }
    }

    @Test
    void unknownKeys_lockTheirAddressOut() throws Exception {
        for (int i = 0; i < 10; i++) {
            mvc.perform(get("/api/orders").header("X-Api-Key", "guess-" + i)).andExpect(status().isUnauthorized());
        }
        mvc.perform(get("/api/orders").header("X-Api-Key", "guess-10"))
                .andExpect(status().isTooManyRequests())
                .andExpect(header().string("Retry-After", "300"));
        order("free-key").andExpect(status().isCreated()); // tenants at that address are not concerned
    }

    private ResultActions order(String apiKey) throws Exception {
        return mvc.perform(post("/api/orders")
                .header("X-Api-Key", apiKey)
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"item\": \"tea\"}"));
    }
}
