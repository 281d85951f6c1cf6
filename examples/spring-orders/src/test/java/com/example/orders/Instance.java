package com.example.orders;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** One instance of the application, on a port of its own. */
final class Instance implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;

    Instance(RedisProcess redis, PartnerStub partner, String partnerLimit) {
        context = new SpringApplicationBuilder(OrdersApplication.class)
                .profiles("redis")
                .run(
                        "--server.port=0",
                        "--spring.data.redis.url=" + redis.uri(),
                        // A machine that builds may be busy for long.
                        "--sluice.redis.deadline=2s",
                        "--orders.partner.url=" + partner.url(),
                        "--orders.partner.limit=" + partnerLimit);
    }

    CompletableFuture<HttpResponse<String>> order(String apiKey) {
        String port = context.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/orders"))
                .header("X-Api-Key", apiKey)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString("{\"item\": \"tea\"}"))
                .build();
        return HTTP.sendAsync(request, BodyHandlers.ofString());
    }

    /** Whether Redis decides, as far as this instance knows. */
    boolean hasRedis() {
        return context.getBean(RedisStore.class).isAvailable();
    }

    /** Whether nothing waits for the partner. */
    boolean hasShippedAll() {
        return context.getBean(Orders.class).waiting().isEmpty();
    }

    @Override
    public void close() {
        context.close();
    }
}
