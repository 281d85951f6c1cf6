package io.sluice.redis.call;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.redis.connect.Futures;
import io.sluice.redis.connect.Link;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.script.Script;
import io.sluice.redis.script.Verb;
import io.sluice.spi.Taking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/*
 * The rehearsal makes the same calls as callers do. So before the first caller waits, the classes are loaded, Redis has the
 * script, the connections to all masters of a cluster are open, and the clocks of all servers are known. It asks for 0
 * permits of keys that no user has, which writes nothing: once as a single check, and once as a joint decision.
 */
/** Makes calls on keys of its own, so that the first call of a user is not slow. */
public final class Rehearsal {
    /** The maximum number of keys that are tried to find one for each server. */
    private static final int MOST_KEYS = 10_000;

    private final Lanes lanes;
    private final ColdStart coldStart;
    private final long waitNanos;
    private final LimiterContext limiter;

    /** @param waitNanos how long its calls may take */
    public Rehearsal(CallServices services, long waitNanos) {
        this.lanes = services.lanes();
        this.coldStart = services.coldStart();
        this.waitNanos = waitNanos;
        // No limiter of a user has that name.
        String name = "warm-up-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        LimiterOptions options = LimiterOptions.onFailure(OnFailure.ALLOW);
        AgreedLimits agreement = new AgreedLimits(name, options, List.of(Limit.parse("1/s")), adopted -> {});
        agreement.adopt(agreement.versions());
        byte[] keyPrefix = services.names().keyPrefix(name);
        this.limiter = new LimiterContext(services, agreement, keyPrefix, OnFailure.ALLOW, true, key -> {}, true);
    }

    /** Waits until the store is connected and warm; if that takes longer, it is done in the background. */
    public void run(CompletableFuture<Link> connected, long nanos) {
        rehearse();
        long end = System.nanoTime() + nanos;
        Futures.isLateOrFailed(connected, nanos);
        if (connected.isDone()) {
            // On this thread, because the thread that reads the answers is busy.
            Futures.isLateOrFailed(look(connected.join()), Math.max(0, end - System.nanoTime()));
        } else {
            connected.thenAcceptAsync(this::lookUnlessCalled);
        }
    }

    /** Encodes the calls without sending them. That loads most classes while the connection is being opened. */
    private void rehearse() {
        Objects.requireNonNull(Script.DECIDE);
        Batch batch = new Batch();
        looks("0", System.nanoTime()).forEach(batch::add);
        batch.arguments(0, 0, false);
    }

    /** Does nothing if a caller waits already: the rehearsal would only delay it. */
    private void lookUnlessCalled(Link link) {
        if (!coldStart.isCalled()) {
            look(link);
        }
    }

    /** Sends the calls to each server. Completes when they have an answer or were given up; never fails. */
    private CompletableFuture<?> look(Link link) {
        long deadline = System.nanoTime() + waitNanos;
        List<Call<?>> looks = new ArrayList<>();
        keys(link).forEach(key -> looks.addAll(looks(key, deadline)));
        looks.forEach(lanes::send);
        return CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new));
    }

    private List<Call<?>> looks(String key, long deadline) {
        KeyCharge charge = new KeyCharge(limiter, key, 0, 0, false, Taking.IF_ADMITTED, null, null);
        return List.of(
                new CheckCall(Verb.CHECK, limiter, key, 0, deadline),
                new JointCall(Verb.ALL, List.of(charge), null, deadline));
    }

    /** A key for each server. */
    private Iterable<String> keys(Link link) {
        Map<String, String> keys = new HashMap<>();
        int servers = link.servers();
        for (int i = 0; i < MOST_KEYS && keys.size() < servers; i++) {
            String key = Integer.toString(i);
            keys.putIfAbsent(link.shardOf(link.slotOf(limiter.keyName(key))), key);
        }
        return keys.values();
    }
}
