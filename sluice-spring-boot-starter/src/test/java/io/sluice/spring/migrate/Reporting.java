package io.sluice.spring.migrate;

import io.sluice.spring.RateLimited;
import org.springframework.stereotype.Service;

// docs
@Service
class Reporting {
    @RateLimited(policy = "reports", key = "#user", fallback = "later")
    public String report(String user) {
        return "the report of " + user;
    }

    String later(String user) {
        return "no more reports for " + user + " now";
    }
}
// end
