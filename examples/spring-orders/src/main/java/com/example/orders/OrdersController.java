package com.example.orders;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The API. It has no code for limits: a request that is denied does not come here. */
@RestController
@RequestMapping("/api/orders")
class OrdersController {
    record NewOrder(String item) {}

    private final Orders orders;
    private final Tenants tenants;

    OrdersController(Orders orders, Tenants tenants) {
        this.orders = orders;
        this.tenants = tenants;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Order create(@RequestHeader(name = "X-Api-Key", required = false) String apiKey, @RequestBody NewOrder order) {
        return orders.add(tenant(apiKey), order.item());
    }

    /** The orders that are not shipped yet. */
    @GetMapping
    List<Order> waiting(@RequestHeader(name = "X-Api-Key", required = false) String apiKey) {
        String tenant = tenant(apiKey);
        return orders.waiting().stream()
                .filter(order -> order.tenant().equals(tenant))
                .toList();
    }

    private String tenant(String apiKey) {
        return tenants.ofApiKey(apiKey)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.UNAUTHORIZED))
                .name();
    }
}
