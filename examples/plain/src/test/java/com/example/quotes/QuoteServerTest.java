package com.example.quotes;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time stands still until a test moves it, so the tests know every answer. */
class QuoteServerTest {
    private final ManualTime time = new ManualTime();
    private final HttpClient http = HttpClient.newHttpClient();
    private QuoteServer server;

    @BeforeEach
    void start() throws IOException {
        MemoryStore store = MemoryStore.builder().time(time).build();
        server = new QuoteServer(0, store.limiter("quotes", QuoteServer.LIMIT));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void burst_isAnswered_andTheNextRequestIsDenied() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(get("alice").statusCode()).isEqualTo(200);
        }
        HttpResponse<String> denied = get("alice");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).contains("1");
    }

    @Test
    void keys_areLimitedApart() throws Exception {
        for (int i = 0; i < 11; i++) {
            get("alice");
        }
        assertThat(get("bob").statusCode()).isEqualTo(200);
    }

    @Test
    void permit_comesBackAfterAFifthOfASecond() throws Exception {
        for (int i = 0; i < 10; i++) {
            get("alice");
        }
        time.advance(Duration.ofMillis(199));
        assertThat(get("alice").statusCode()).isEqualTo(429);
        time.advance(Duration.ofMillis(1));
        assertThat(get("alice").statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> get(String apiKey) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + server.port() + "/quote");
        return http.send(HttpRequest.newBuilder(uri).header("X-Api-Key", apiKey).build(), BodyHandlers.ofString());
    }
}
