package io.sluice.memory;

import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * A reservation that nobody settles is dropped when its time is over, by the next one that is added. Clients decide how many
 * there are, so there is a maximum: above it, the oldest reservation is dropped. Its estimate stays charged. If it were the one
 * that ends first, a client that reserves often and for long would push out those of all others.
 *
 * A reservation keeps what each of its charges has taken, about as many bytes as it needs itself. So each charge counts.
 */
/** Remembers reservations by their ids, until they are settled or their time is over. Thread-safe. */
final class KeptReservations {
    private static final int ID_LENGTH = 22;

    private record End(long micros, long number) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = Long.compare(micros, other.micros);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private record Entry(KeptReservation reservation, End end) {
        int size() {
            return 1 + reservation.charges().size();
        }
    }

    private final Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<End, String> byEnd = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Long, String> byAge = new ConcurrentSkipListMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong size = new AtomicLong();
    private final TimeSource time;
    private final long max;

    /** @param max the maximum number of reservations and their charges together */
    KeptReservations(TimeSource time, long max) {
        this.time = time;
        this.max = max;
    }

    /** Remembers a reservation, and returns its id. */
    String add(KeptReservation reservation, Duration ttl) {
        long now = time.micros();
        // Nobody can guess it: it comes from a secure generator.
        UUID random = UUID.randomUUID();
        String id = base64.encodeToString(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array());
        End end = new End(now + Exact.microsUp("ttl", ttl), numbers.incrementAndGet());
        Entry entry = new Entry(reservation, end);
        entries.put(id, entry);
        byEnd.put(end, id);
        byAge.put(end.number(), id);
        size.addAndGet(entry.size());
        dropEnded(now);
        dropOldest();
        return id;
    }

    private void dropEnded(long now) {
        for (Map.Entry<End, String> first = byEnd.firstEntry();
                first != null && first.getKey().micros() <= now;
                first = byEnd.firstEntry()) {
            remove(first.getValue());
        }
    }

    private void dropOldest() {
        while (size.get() > max) {
            Map.Entry<Long, String> oldest = byAge.firstEntry();
            if (oldest == null) {
                return;
            }
            remove(oldest.getValue());
        }
    }

    /** Forgets a reservation. Returns null if it is not known (any more), or its time is over. */
    @Nullable
    KeptReservation take(String id) {
        Entry entry = remove(id);
        return entry == null || entry.end().micros() <= time.micros() ? null : entry.reservation();
    }

    private @Nullable Entry remove(String id) {
        Entry entry = entries.remove(id);
        if (entry != null) {
            byEnd.remove(entry.end());
            byAge.remove(entry.end().number());
            size.addAndGet(-entry.size());
        }
        return entry;
    }

    static void requireId(String id) {
        if (id.length() != ID_LENGTH || !id.chars().allMatch(KeptReservations::isIdChar)) {
            throw new IllegalArgumentException("reservation: not the id of a reservation (expected: " + ID_LENGTH
                    + " letters, digits, - or _, as the store returned it)");
        }
    }

    private static boolean isIdChar(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }
}
