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
 * Each address has a bucket of wrong tries, a limiter of our own: one try is forgiven every ten seconds. The more of them are
 * used, the longer the answer to the next wrong one waits: nothing for the first few, then 100 ms, doubled each time, up to 5 s.
 *
 * The answer alone would slow down nobody who does not wait for it. So while eight answers to an address wait, further tries
 * of it are refused and not compared at all: a right one cannot be told from a wrong one then. That makes less than two tries a
 * second for each address, however many connections it opens.
 *
 * Somebody who shares the address with an attacker (a proxy that is not trusted, a NAT) must not be locked out by him. So an
 * address that has shown the right secret before is always compared, and a right secret is never delayed. The price: an attacker
 * behind an address that a right client uses too is slowed down by the delay of each connection, but not refused.
 *
 * Right tries forgive nothing: else who tries behind such an address would begin anew with each right one.
 */
/** Tries at a secret, by the address they come from: wrong ones are answered ever later. Thread-safe; nothing blocks. */
public final class AuthAttempts implements MeterBinder {
    /** Runs a task later, where the caller is: on its event loop. */
    @FunctionalInterface
    public interface Timer {
        void after(Duration delay, Runnable task);
    }

    /** Wrong tries that are answered at once. */
    static final int FREE = 5;

    /** Answers that wait, to one address. */
    static final int MOST_WAITING = 8;

    /** Answers that wait, to all. */
    static final int MOST_WAITING_IN_ALL = 1024;

    /** Addresses whose wrong tries are remembered. */
    static final int MOST_ADDRESSES = 20_000;

    private static final int REMEMBERED = 20;
    private static final Duration FORGIVEN = Duration.ofSeconds(10);
    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 5000;

    private final String secret;
    private final MemoryStore store;
    private final RateLimiter wrong;
    private final Timer timer;
    private final PeerLog log;
    private final ConcurrentHashMap<String, Integer> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger waitingInAll = new AtomicInteger();
    private final KnownAddresses right = new KnownAddresses();
    private final LongAdder wrongTries = new LongAdder();
    private final LongAdder refusedTries = new LongAdder();

    /**
     * Begins with no tries.
     *
     * @param secret what is tried, for the log and the metrics: {@code admin-token}
     */
    public AuthAttempts(String secret, Timer timer, TimeSource time) {
        this.secret = secret;
        this.timer = timer;
        log = PeerLog.to("io.sluice.server", time);
        store = MemoryStore.builder().time(time).maxKeys(MOST_ADDRESSES).build();
        wrong = store.limiter(secret, new TokenBucket(1, FORGIVEN, REMEMBERED, Refill.GREEDY));
    }

    /** Whether a try of an address may be compared; if not, it is refused at once, whatever it is. */
    public boolean isOpen(String address) {
        String source = Source.of(address);
        int waits = Objects.requireNonNullElse(waiting.get(source), 0);
        boolean open = waits < MOST_WAITING
                && (waitingInAll.get() < MOST_WAITING_IN_ALL
                        || wrong.peek(source).remaining() >= REMEMBERED - FREE);
        if (open || right.contains(source)) {
            return true;
        }
        refusedTries.increment();
        tell(address);
        return false;
    }

    /** The right secret came from an address. */
    public void right(String address) {
        right.add(Source.of(address));
    }

    /**
     * A wrong secret came from an address.
     *
     * @param answer is run now, or later on the same event loop
     * @return false if too many answers wait: then it is never run, and the try is to be refused at once
     */
    public boolean wrong(String address, Runnable answer) {
        wrongTries.increment();
        String source = Source.of(address);
        Decision used = wrong.check(source, 1);
        Duration delay = delay(used.allowed() ? REMEMBERED - (int) used.remaining() : REMEMBERED);
        if (delay.isZero()) {
            answer.run();
            return true;
        }
        tell(address);
        if (!wait(source)) {
            return false;
        }
        timer.after(delay, () -> {
            waitingInAll.decrementAndGet();
            waiting.computeIfPresent(source, (unused, count) -> count == 1 ? null : count - 1);
            answer.run();
        });
        return true;
    }

    /** How many addresses are remembered. */
    long addresses() {
        return store.size();
    }

    /** How long who was refused should stay away: until the answers that wait have been given. */
    public static Duration retryAfter() {
        return Duration.ofMillis(LONGEST_MILLIS);
    }

    /** @param used wrong tries that are not forgiven, this one among them */
    static Duration delay(int used) {
        if (used <= FREE) {
            return Duration.ZERO;
        }
        return Duration.ofMillis(Math.min(LONGEST_MILLIS, FIRST_MILLIS << (used - FREE - 1)));
    }

    private boolean wait(String source) {
        if (waitingInAll.incrementAndGet() <= MOST_WAITING_IN_ALL) {
            boolean[] entered = {false};
            waiting.compute(source, (unused, count) -> {
                int before = count == null ? 0 : count;
                entered[0] = before < MOST_WAITING;
                return entered[0] ? Integer.valueOf(before + 1) : count;
            });
            if (entered[0]) {
                return true;
            }
        }
        waitingInAll.decrementAndGet();
        return false;
    }

    private void tell(String address) {
        log.peer(
                secret,
                "wrong tries at the " + secret + ", the last from " + address + "; answers to it wait, up to "
                        + LONGEST_MILLIS / 1000 + " s");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("sluice.auth.wrong", wrongTries, LongAdder::sum)
                .description("Wrong passwords and tokens")
                .tag("secret", secret)
                .register(registry);
        FunctionCounter.builder("sluice.auth.refused", refusedTries, LongAdder::sum)
                .description(
                        "Tries that were refused without comparing, because too many wrong ones waited for their answer")
                .tag("secret", secret)
                .register(registry);
    }
}
