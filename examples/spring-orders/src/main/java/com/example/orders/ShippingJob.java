package com.example.orders;

import io.sluice.RateLimitedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClientException;

/** Gives the orders of this instance to the partner. */
@Component
class ShippingJob {
    private static final Logger LOG = LoggerFactory.getLogger(ShippingJob.class);

    private final Orders orders;
    private final Partner partner;

    ShippingJob(Orders orders, Partner partner) {
        this.orders = orders;
        this.partner = partner;
    }

    /** An order that fails stays where it is, and the next run tries again. */
    @Scheduled(fixedDelayString = "${orders.shipping-every}")
    void run() {
        try {
            for (Order order : orders.waiting()) {
                partner.ship(order);
                orders.shipped(order);
            }
        } catch (RateLimitedException | RestClientException e) {
            LOG.warn("The run ends early: {}", e.getMessage());
        }
    }
}
