package com.example.partner;

import io.sluice.RateLimiter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Calls the partner. Every call waits for its turn first, and all processes together keep the partner's limit. */
final class PartnerClient {
    /** The partner counts calls by account, so the account is the key. */
    private static final String ACCOUNT = "our-account";

    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI partner;
    private final String process;
    private final RateLimiter limiter;

    PartnerClient(URI partner, String process, RateLimiter limiter) {
        this.partner = partner;
        this.process = process;
        this.limiter = limiter;
    }

    /** Opens the connection. A call that has its turn must leave at once, so it must not wait for a handshake then. */
    void connect() throws IOException, InterruptedException {
        get("/status");
    }

    /** Returns what the partner knows about an address. Waits for its turn, and as long as the partner wants. */
    String locate(String address) throws IOException, InterruptedException {
        while (true) {
            limiter.acquire(ACCOUNT);
            HttpResponse<String> response = get("/locate/" + address);
            if (response.statusCode() == 200) {
                return response.body();
            }
            if (response.statusCode() != TOO_MANY_REQUESTS) {
                throw new IOException(partner + " answered " + response.statusCode());
            }
            long seconds = response.headers().firstValueAsLong("Retry-After").orElse(1);
            limiter.pause(ACCOUNT, Duration.ofSeconds(seconds)); // all processes wait that long
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(partner.resolve(path))
                .header("X-Process", process)
                .timeout(Duration.ofSeconds(10))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
