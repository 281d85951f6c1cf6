package io.sluice.spring.migrate;

import io.sluice.RateLimitedException;
import io.sluice.spring.RateLimited;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Service;

// docs
@Service
class Reports {
    @RateLimited("reports")
    public String own() {
        return "your report";
    }

    @RateLimited(limit = "10/s burst 20", key = "#user", permits = "#ids.size()", fallback = "none")
    public List<String> several(String user, List<String> ids) {
        return ids.stream().map(id -> "report " + id).toList();
    }

    List<String> none(RateLimitedException denied) {
        return List.of();
    }

    @RateLimited(limit = "2/s", maxWait = "5s")
    public CompletableFuture<String> fromPartner(String id) {
        return CompletableFuture.completedFuture("report " + id);
    }

    @PerUser(key = "#user")
    public String of(String user) {
        return "the report of " + user;
    }
}
// end
