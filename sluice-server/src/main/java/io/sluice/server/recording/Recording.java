package io.sluice.server.recording;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.DecisionListener;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/*
 * A limit is about all requests of a key. If a recording had only every tenth request, no limit would ever be reached in it. So where
 * there are too many requests, the recording has all requests of some clients, and none of the others: those whose attributes have a
 * hash below a share. The share follows the traffic.
 */
/** The latest requests. Bounded in number, in bytes and in time. Thread-safe. */
public final class Recording implements DecisionListener {
    static final int MAX_REQUESTS = 10_000;
    static final long KEPT_MICROS = 15L * 60 * 1_000_000;

    /** Maximum number of characters of the attributes of a request. */
    static final int MAX_CHARACTERS = 1000;

    /** In a second with more requests the share is halved, in one with less than a quarter it is doubled. */
    static final int PER_SECOND = 200;

    private static final int SHARES = 1 << 10;

    private final TimeSource time;
    private final Supplier<Set<String>> attributes;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();

    /** Out of {@link #SHARES}. */
    private volatile int share = SHARES;

    /** @param share the share when it was recorded */
    private record Entry(RecordedRequest request, int share) {}

    private long second;
    private int inSecond;

    /** @param attributes the names of the attributes that the policies use */
    public Recording(TimeSource time, Supplier<Set<String>> attributes) {
        this.time = time;
        this.attributes = attributes;
    }

    /**
     * What is recorded.
     *
     * @param requests oldest first
     * @param share the part of the clients whose requests are recorded: above 0, at most 1; the least, if it has changed
     */
    public record Content(List<RecordedRequest> requests, double share) {}

    @Override
    public void decided(Map<String, String> given, long permits, PolicyDecision decision) {
        if (permits == 0) {
            return;
        }
        Set<String> used = attributes.get();
        int now = share;
        if (now < SHARES && (spread(hash(given, used)) & (SHARES - 1)) >= now) {
            return;
        }
        Map<String, String> kept = new LinkedHashMap<>();
        int characters = 0;
        for (String name : used) {
            String value = given.get(name);
            if (value != null) {
                kept.put(name, value);
                characters += name.length() + value.length();
            }
        }
        if (characters <= MAX_CHARACTERS) {
            add(new RecordedRequest(
                    time.wallMicros(), kept, permits, decision.allowed(), List.copyOf(decision.violated())));
        }
    }

    private static int hash(Map<String, String> given, Set<String> used) {
        int hash = 0;
        for (String name : used) {
            // The path of a request does not say whose it is.
            String value = name.equals("path") || name.equals("method") ? null : given.get(name);
            hash = 31 * hash + (value == null ? 0 : value.hashCode());
        }
        return hash;
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9E3779B9;
        return mixed ^ (mixed >>> 15);
    }

    private synchronized void add(RecordedRequest request) {
        long now = request.micros() / 1_000_000;
        if (now != second) {
            if (inSecond < PER_SECOND / 4) {
                share = Math.min(SHARES, share * 2);
            }
            second = now;
            inSecond = 0;
        }
        if (++inSecond > PER_SECOND && share > 1) {
            share /= 2;
            inSecond = PER_SECOND / 2;
        }
        entries.addLast(new Entry(request, share));
        forget(request.micros());
    }

    private void forget(long now) {
        while (!entries.isEmpty()
                && (entries.size() > MAX_REQUESTS || entries.getFirst().request.micros() <= now - KEPT_MICROS)) {
            entries.removeFirst();
        }
    }

    public synchronized Content content() {
        forget(time.wallMicros());
        int least = entries.stream().mapToInt(Entry::share).min().orElse(share);
        return new Content(entries.stream().map(Entry::request).toList(), (double) least / SHARES);
    }
}
