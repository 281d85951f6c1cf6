package com.example.orders;

import io.sluice.spring.RequestAttribute;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/** An API for orders. Its limits are in {@code application.yaml}. */
@SpringBootApplication
@EnableScheduling
public class OrdersApplication {
    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }

    /** The policies count by tenant. A request with an unknown API key has none. */
    @Bean
    RequestAttribute tenant(Tenants tenants) {
        return RequestAttribute.of(
                "tenant",
                request -> tenants.ofApiKey(request.header("X-Api-Key"))
                        .map(Tenant::name)
                        .orElse(null));
    }

    /** The policies have other limits for other plans. */
    @Bean
    RequestAttribute plan(Tenants tenants) {
        return RequestAttribute.of(
                "plan",
                request -> tenants.ofApiKey(request.header("X-Api-Key"))
                        .map(Tenant::plan)
                        .orElse("none"));
    }
}
