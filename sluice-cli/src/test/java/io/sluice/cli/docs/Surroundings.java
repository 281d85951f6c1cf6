package io.sluice.cli.docs;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** The program around a Java block of the documentation: each block becomes a method of a class that extends this one. */
public abstract class Surroundings {
    protected final String key = "key";
    protected final String user = "user";
    protected final String userId = "user-7";
    protected final String tenant = "acme";
    protected final String account = "account";
    protected final Limit limit = Limit.parse("600/min");
    protected final RateLimiter limiter = RateLimiter.of(Limit.parse("600/min burst 100"));
    protected final MemoryStore store = MemoryStore.create();
    protected final PolicyEngine engine = PolicyEngine.builder().store(store).build();
    protected final List<Runnable> calls = List.of(() -> {}, () -> {});
    protected final MeterRegistry registry = new SimpleMeterRegistry();
    protected final Http http = new Http();
    protected final Request request = new Request();
    protected final Response response = new Response();
    protected final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A snapshot of the store. */
    protected final InputStream in = snapshot(store);

    private static InputStream snapshot(MemoryStore store) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            store.save(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    /** The statements of the block. */
    public abstract void run() throws Exception;

    protected void callPartner() {}

    protected static final class TooManyRequests extends RuntimeException {
        private static final long serialVersionUID = 1;

        public TooManyRequests(Duration retryAfter) {
            super("retry after " + retryAfter);
        }

        public TooManyRequests(List<String> violated, long retryAfterMicros) {
            super(violated + ", retry after " + retryAfterMicros);
        }
    }

    protected static final class QuotaUsedUp extends RuntimeException {
        private static final long serialVersionUID = 1;

        public QuotaUsedUp(List<String> violated, long retryAfterMicros) {
            super(violated + ", retry after " + retryAfterMicros);
        }
    }

    protected static final class Http {
        public Response send(Request request) {
            return new Response();
        }
    }

    /** A request as a web framework has it. */
    protected static final class Request {
        public String peer() {
            return "10.0.0.1";
        }

        public List<String> headers(String name) {
            return name.equals("X-Forwarded-For") ? List.of("203.0.113.9") : List.of();
        }

        public String path() {
            return "/api/orders";
        }

        public String method() {
            return "GET";
        }
    }

    /** A response as a web framework, or an HTTP client, has it. */
    protected static final class Response {
        public int status() {
            return 429;
        }

        public Duration retryAfter() {
            return Duration.ofMillis(1);
        }

        public void header(String name, String value) {}

        public void send(int status, String contentType, String body) {}
    }
}
