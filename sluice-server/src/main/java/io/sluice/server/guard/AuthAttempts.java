package io.sluice.server.guard;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.Decision;
import io.sluice.RateLimiter;
import io.sluice.Refill;
import io.sluice.TimeSource;
import io.sluice.TokenBucket;
import io.sluice.memory.MemoryStore;
import io.sluice.server.logging.PeerLog;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/*
 * Each address has a token bucket of failed attempts, a limiter of Sluice itself: one attempt is forgiven every ten seconds. The
 * more attempts are used, the longer the response to the next failed one is delayed: not at all for the first few, then 100 ms,
 * doubled each time, up to 5 s.
 *
 * A delay does not slow down an attacker who does not wait for the response. So while eight responses to an address are delayed,
 * further attempts from it are refused without a comparison. Then the right secret looks like a wrong one. That allows less
 * than two attempts a second for each address, however many connections it opens.
 *
 * A client that shares its address with an attacker (an untrusted proxy, a NAT) must not be locked out. So an attempt from an
 * address that has sent the right secret before is always compared, and the right secret is never delayed. The price: an
 * attacker behind such an address is delayed on each connection, but not refused.
 *
 * A successful attempt does not forgive failed ones. Otherwise an attacker behind such an address would start again with each
 * success.
 */
/**
 * Limits attempts to guess a secret, for each client address: responses to failed attempts are delayed more and more.
 * Thread-safe; nothing blocks.
 */
public final class AuthAttempts implements MeterBinder {
    /** Runs a task later, on the event loop of the caller. */
    @FunctionalInterface
    public interface Timer {
        void after(Duration delay, Runnable task);
    }

    /** Failed attempts without a delay. */
    static final int UNDELAYED = 5;

    /** Maximum number of delayed responses to one address. */
    static final int MAX_DELAYED = 8;

    /** Maximum number of delayed responses to all addresses. */
    static final int MAX_DELAYED_TOTAL = 1024;

    /** Maximum number of addresses with counted attempts. */
    static final int MAX_ADDRESSES = 20_000;

    private static final int BUCKET_SIZE = 20;
    private static final Duration REFILL_PERIOD = Duration.ofSeconds(10);
    private static final long FIRST_DELAY_MILLIS = 100;
    private static final long MAX_DELAY_MILLIS = 5000;

    private final String secret;
    private final MemoryStore store;
    private final RateLimiter failures;
    private final Timer timer;
    private final PeerLog log;
    private final ConcurrentHashMap<String, Integer> delayed = new ConcurrentHashMap<>();
    private final AtomicInteger delayedTotal = new AtomicInteger();
    private final AuthenticatedNetworks authenticated = new AuthenticatedNetworks();
    private final LongAdder failedAttempts = new LongAdder();
    private final LongAdder refusedAttempts = new LongAdder();

    /**
     * Creates the counters of one secret.
     *
     * @param secret the name of the secret, for the log and the metrics: {@code admin-token}
     */
    public AuthAttempts(String secret, Timer timer, TimeSource time) {
        this.secret = secret;
        this.timer = timer;
        log = PeerLog.to("io.sluice.server", time);
        store = MemoryStore.builder().time(time).maxKeys(MAX_ADDRESSES).build();
        failures = store.limiter(secret, new TokenBucket(1, REFILL_PERIOD, BUCKET_SIZE, Refill.GREEDY));
    }

    /** Whether an attempt from an address may be compared; if not, it must be refused at once. */
    public boolean isAllowed(String address) {
        String network = ClientNetwork.of(address);
        int count = Objects.requireNonNullElse(delayed.get(network), 0);
        boolean allowed = count < MAX_DELAYED
                && (delayedTotal.get() < MAX_DELAYED_TOTAL
                        || failures.peek(network).remaining() >= BUCKET_SIZE - UNDELAYED);
        if (allowed || authenticated.contains(network)) {
            return true;
        }
        refusedAttempts.increment();
        log(address);
        return false;
    }

    /** Records that the right secret came from an address. */
    public void recordSuccess(String address) {
        authenticated.add(ClientNetwork.of(address));
    }

    /**
     * Records that a wrong secret came from an address.
     *
     * @param answer sends the response: now, or later on the same event loop
     * @return false if too many responses are delayed; then {@code answer} is never run, and the attempt must be refused
     */
    public boolean recordFailure(String address, Runnable answer) {
        failedAttempts.increment();
        String network = ClientNetwork.of(address);
        Decision used = failures.check(network, 1);
        Duration delay = delay(used.allowed() ? BUCKET_SIZE - (int) used.remaining() : BUCKET_SIZE);
        if (delay.isZero()) {
            answer.run();
            return true;
        }
        log(address);
        if (!reserveDelay(network)) {
            return false;
        }
        timer.after(delay, () -> {
            delayedTotal.decrementAndGet();
            delayed.computeIfPresent(network, (unused, count) -> count == 1 ? null : count - 1);
            answer.run();
        });
        return true;
    }

    /** The number of addresses with counted attempts. */
    long addresses() {
        return store.size();
    }

    /** When a refused client may try again: after the delayed responses were sent. */
    public static Duration retryAfter() {
        return Duration.ofMillis(MAX_DELAY_MILLIS);
    }

    /** @param used the failed attempts that are not forgiven, with this one */
    static Duration delay(int used) {
        if (used <= UNDELAYED) {
            return Duration.ZERO;
        }
        return Duration.ofMillis(Math.min(MAX_DELAY_MILLIS, FIRST_DELAY_MILLIS << (used - UNDELAYED - 1)));
    }

    private boolean reserveDelay(String network) {
        if (delayedTotal.incrementAndGet() <= MAX_DELAYED_TOTAL) {
            boolean[] reserved = {false};
            delayed.compute(network, (unused, count) -> {
                int before = count == null ? 0 : count;
                reserved[0] = before < MAX_DELAYED;
                return reserved[0] ? Integer.valueOf(before + 1) : count;
            });
            if (reserved[0]) {
                return true;
            }
        }
        delayedTotal.decrementAndGet();
        return false;
    }

    private void log(String address) {
        log.warn(
                secret,
                "failed attempts at the " + secret + ", the latest from " + address
                        + "; responses to it are delayed by up to " + MAX_DELAY_MILLIS / 1000 + " s");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("sluice.auth.wrong", failedAttempts, LongAdder::sum)
                .description("Wrong passwords and tokens")
                .tag("secret", secret)
                .register(registry);
        FunctionCounter.builder("sluice.auth.refused", refusedAttempts, LongAdder::sum)
                .description(
                        "Attempts that were refused without a comparison, because too many responses to failed ones were delayed")
                .tag("secret", secret)
                .register(registry);
    }
}
