package com.example.partner;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.RedisStore;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A job that runs each second, in as many processes as you start, and asks a partner about addresses. The variables {@code
 * REDIS_URI}, {@code PARTNER_URI}, {@code PARTNER_LIMIT} and {@code PROCESS} configure it.
 */
public final class PartnerJob {
    private static final int ADDRESSES_IN_A_RUN = 5;

    private final PartnerClient partner;
    private long next;

    PartnerJob(PartnerClient partner) {
        this.partner = partner;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Map<String, String> variables = System.getenv();
        RedisStore store = RedisStore.connect(variables.getOrDefault("REDIS_URI", "redis://localhost"));
        // The partner allows 18 calls in 10 s. The rest is for what delays a call on its way.
        RateLimiter limiter = store.limiter(
                "partner",
                Limit.parse(variables.getOrDefault("PARTNER_LIMIT", "leaky-bucket 18 per 10100ms capacity 100")));
        PartnerClient partner = new PartnerClient(
                URI.create(variables.getOrDefault("PARTNER_URI", "http://localhost:8082")),
                variables.getOrDefault("PROCESS", "job"),
                limiter);
        partner.connect();
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        scheduler.scheduleWithFixedDelay(new PartnerJob(partner)::run, 0, 1, TimeUnit.SECONDS);
    }

    /** One run. A scheduler stops a job that throws, so a failed run is reported, and the next one tries again. */
    private void run() {
        try {
            for (int i = 0; i < ADDRESSES_IN_A_RUN; i++) {
                String address = "address-" + next;
                System.out.println(address + ": " + partner.locate(address));
                next++;
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("the run ends early: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
