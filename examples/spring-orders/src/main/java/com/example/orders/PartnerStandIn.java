package com.example.orders;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Plays the partner, so that the example runs alone. The log shows when the calls arrive. */
@RestController
class PartnerStandIn {
    private static final Logger LOG = LoggerFactory.getLogger(PartnerStandIn.class);

    @PostMapping("/partner/shipments")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void ship(@RequestBody Order order) {
        LOG.info("The partner ships {}", order);
    }
}
