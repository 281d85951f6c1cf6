package io.sluice.spring.test.slice;

import io.sluice.spring.RateLimited;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    @GetMapping("/orders")
    String orders() {
        return "orders";
    }

    @GetMapping("/report")
    @RateLimited(limit = "1/h")
    public String report() {
        return "report";
    }
}
