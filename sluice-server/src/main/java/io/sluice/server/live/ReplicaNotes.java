package io.sluice.server.live;

import io.sluice.spi.SharedNotes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/*
 * Each replica writes its ticks on pages of 20 seconds in Redis. A page lives a little longer than the history. So a viewer finds the
 * last 15 minutes at once, also of replicas that are gone, and a reader who follows reads only the latest pages again.
 */
/** The ticks that replicas leave in Redis. Thread-safe. */
final class ReplicaNotes {
    static final long PAGE_MILLIS = 20_000;

    private static final Duration LIFE = ReplicaHistory.KEPT.plusMinutes(2);

    /** Maximum number of ticks that are written at once, after Redis was away. */
    private static final int MAX_AT_ONCE = 50;

    private final SharedNotes notes;

    /** The ticks that are not written yet, oldest first. */
    private final ArrayDeque<ReplicaTick> pending = new ArrayDeque<>();

    private @Nullable CompletableFuture<?> writing;

    ReplicaNotes(SharedNotes notes) {
        this.notes = notes;
    }

    /** Writes a tick, and those that could not be written before. */
    synchronized void write(ReplicaTick tick) {
        pending.addLast(tick);
        if (pending.size() > ReplicaHistory.MAX_TICKS) {
            pending.removeFirst();
        }
        if (writing == null) {
            writeSome();
        }
    }

    private synchronized void writeSome() {
        Map<String, Map<String, String>> pages = new LinkedHashMap<>();
        List<ReplicaTick> some = new ArrayList<>();
        for (ReplicaTick tick : pending) {
            if (some.size() == MAX_AT_ONCE) {
                break;
            }
            some.add(tick);
            pages.computeIfAbsent(page(tick.tick().end()), unused -> new HashMap<>())
                    .put(tick.id() + ":" + tick.tick().end(), TickJson.note(tick));
        }
        CompletableFuture<?> written = all(pages.entrySet().stream()
                .map(page -> notes.put(page.getKey(), page.getValue(), LIFE).toCompletableFuture())
                .toList());
        writing = written;
        written.whenComplete((done, failure) -> onWritten(some, failure == null));
    }

    private synchronized void onWritten(List<ReplicaTick> some, boolean done) {
        writing = null;
        if (done) {
            pending.removeAll(some);
            if (!pending.isEmpty()) {
                writeSome();
            }
        }
    }

    /** Reads the ticks of all replicas from a time on, and some older ones. */
    CompletableFuture<List<ReplicaTick>> read(long from, long to) {
        List<CompletableFuture<Map<String, String>>> pages = new ArrayList<>();
        for (long at = from; at < to + PAGE_MILLIS; at += PAGE_MILLIS) {
            pages.add(notes.read(page(at)).toCompletableFuture());
        }
        return all(pages).thenApply(done -> {
            List<ReplicaTick> ticks = new ArrayList<>();
            pages.forEach(page -> page.join().values().forEach(note -> {
                @Nullable ReplicaTick tick = TickJson.parse(note);
                if (tick != null) {
                    ticks.add(tick);
                }
            }));
            return ticks;
        });
    }

    private static CompletableFuture<?> all(List<? extends CompletableFuture<?>> stages) {
        return CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new));
    }

    private static String page(long millis) {
        return Long.toString(millis / PAGE_MILLIS);
    }
}
