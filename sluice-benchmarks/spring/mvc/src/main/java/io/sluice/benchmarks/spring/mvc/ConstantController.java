package io.sluice.benchmarks.spring.mvc;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns a constant, so that a request costs as little as it can. */
@RestController
public class ConstantController {
    @GetMapping("/constant")
    String constant() {
        return "constant";
    }
}
