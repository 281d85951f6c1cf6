package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.memory.snapshot.Snapshot;
import io.sluice.spi.Edition;
import io.sluice.spi.EditionConflictException;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.Publication;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Save and restore of a memory store. */
class MemoryStoreSnapshotTest {
    private final ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
    private final MemoryStore store = MemoryStore.builder().time(time).build();

    @Test
    void restore_laterByTheWallClock_countsTheTimeBetween() throws IOException {
        RateLimiter limiter = store.limiter("api", Limit.parse("1/s burst 100"));
        limiter.check("key", 100);
        limiter.penalize("key", 50);
        byte[] saved = saved(store);
        MemoryStore later = restored(saved, new TwoClocks(5_000_000_000L, time.micros() + 20_000_000, true));
        assertThat(later.limiter("api", Limit.parse("1/s burst 100"))
                        .peek("key", 1)
                        .retryAfter())
                .isEqualTo(Duration.ofSeconds(51 - 20));
    }

    @Test
    void restore_wallClockSetBack_countsNoTime() throws IOException {
        Limit limit = Limit.parse("sliding-log 5 per 1m lockout 5m");
        RateLimiter limiter = store.limiter("login", limit);
        limiter.check("key", 5);
        limiter.check("key", 1);
        byte[] saved = saved(store);
        TwoClocks clocks = new TwoClocks(5_000_000_000L, time.micros() - 3_600_000_000L, true);
        RateLimiter restored = restored(saved, clocks).limiter("login", limit);
        assertThat(restored.peek("key").resetAfter()).isEqualTo(Duration.ofMinutes(5));
        clocks.move(300_000_000);
        assertThat(restored.tryAcquire("key", 5)).isTrue();
    }

    @Test
    void restore_pausedKeys_arePausedForTheRest() throws IOException {
        for (String limit : List.of("10/s", "sliding-log 5 per 1m lockout 5m", "unlimited")) {
            store.limiter(limit, Limit.parse(limit)).pause("key", Duration.ofMinutes(1));
        }
        byte[] saved = saved(store);
        TwoClocks clocks = new TwoClocks(5_000_000_000L, time.micros() + 20_000_000, true);
        MemoryStore later = restored(saved, clocks);
        for (String limit : List.of("10/s", "sliding-log 5 per 1m lockout 5m", "unlimited")) {
            RateLimiter limiter = later.limiter(limit, Limit.parse(limit));
            assertThat(limiter.check("key", 1).retryAfter()).as(limit).isEqualTo(Duration.ofSeconds(40));
            // A pause belongs to the key, whatever its limit.
            limiter.update(Limit.parse("20/s"));
            assertThat(limiter.check("key", 1).retryAfter()).as(limit).isEqualTo(Duration.ofSeconds(40));
        }
        clocks.move(40_000_000);
        assertThat(later.limiter("10/s", Limit.parse("20/s")).tryAcquire("key")).isTrue();
    }

    @Test
    void save_tellsWhatItWrote_andRestoreWhatItRead() throws IOException {
        store.limiter("one", Limit.parse("10/s")).check("key", 1);
        store.limiter("two", Limit.parse("10/s"), Limit.parse("100/h")).check("key", 1);
        store.limiter("none", Limit.unlimited()).check("key", 1);
        store.publication("asked for only");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Snapshot snapshot = store.save(out);
        assertThat(snapshot).isEqualTo(new Snapshot(time.micros(), 3, 3, 0));
        MemoryStore other = MemoryStore.builder().time(time).build();
        assertThat(other.restore(new ByteArrayInputStream(out.toByteArray()))).isEqualTo(snapshot);
        assertThat(other.size()).isEqualTo(3);
    }

    @Test
    void restore_anEmptyStore_isEmpty() throws IOException {
        MemoryStore restored = restored(saved(store), time);
        assertThat(restored.size()).isZero();
        assertThat(restored.limiter("api", Limit.parse("1/d")).tryAcquire("key"))
                .isTrue();
    }

    @Test
    void restore_keysThatAreFreshByThen_areDropped() throws IOException {
        RateLimiter limiter = store.limiter("api", Limit.parse("1/s burst 10"));
        limiter.check("soon", 1);
        limiter.check("late", 10);
        byte[] saved = saved(store);
        time.advance(Duration.ofSeconds(5));
        MemoryStore restored = restored(saved, time);
        assertThat(restored.size()).isEqualTo(1);
        assertThat(restored.limiter("api", Limit.parse("1/s burst 10"))
                        .peek("late")
                        .remaining())
                .isEqualTo(5);
    }

    @Test
    void limiter_withAnotherLimitThanTheSnapshot_isAnUpdateForWhoAsksFirst() throws IOException {
        store.limiter("api", Limit.parse("fixed-window 100/d")).check("key", 80);
        MemoryStore restored = restored(saved(store), time);
        RateLimiter limiter = restored.limiter("api", Limit.parse("fixed-window 200/d"));
        assertThat(limiter.limits()).containsExactly(Limit.parse("fixed-window 200/d"));
        assertThat(limiter.peek("key").remaining()).isEqualTo(120);
        assertThatThrownBy(() -> restored.limiter("api", Limit.parse("fixed-window 100/d")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("(expected: the same limits, or update)");
    }

    @Test
    void limiter_withFewerLimitsThanTheSnapshot_keepsTheUseOfThoseThatStay() throws IOException {
        Limit day = Limit.parse("fixed-window 100/d");
        store.limiter("api", Limit.parse("10/s burst 90"), day).check("key", 80);
        RateLimiter limiter = restored(saved(store), time).limiter("api", day);
        assertThat(limiter.peek("key").remaining()).isEqualTo(20);
    }

    @Test
    void enforce_afterRestore_findsTheUseUnderEqualAndOtherLimits() throws IOException {
        store.limiter("same", Limit.parse("10/d")).check("key", 8);
        store.limiter("other", Limit.parse("10/d")).check("key", 8);
        MemoryStore restored = restored(saved(store), time);
        List<RateLimiter> limiters = restored.enforce(List.of(spec("same", "10/d"), spec("other", "9/d")));
        assertThat(limiters.get(0).peek("key").remaining()).isEqualTo(2);
        assertThat(limiters.get(1).peek("key").remaining()).isEqualTo(1);
        assertThat(restored.limits(limiters))
                .containsExactly(List.of(Limit.parse("10/d")), List.of(Limit.parse("9/d")));
    }

    private static LimiterSpec spec(String name, String limit) {
        return new LimiterSpec(name, LimiterOptions.onFailure(OnFailure.ALLOW), Limit.parse(limit));
    }

    @Test
    void limiter_thatNobodyAsksFor_isSavedAgainUntilItIsFresh() throws IOException {
        store.limiter("api", Limit.parse("1/s burst 60")).check("key", 60);
        byte[] saved = saved(store);
        for (int restarts = 0; restarts < 3; restarts++) {
            time.advance(Duration.ofSeconds(10));
            saved = saved(restored(saved, time));
        }
        assertThat(restored(saved, time)
                        .limiter("api", Limit.parse("1/s burst 60"))
                        .peek("key")
                        .remaining())
                .isEqualTo(30);
        MemoryStore last = restored(saved, time);
        time.advance(Duration.ofMinutes(5));
        assertThat(last.size()).isZero();
        assertThat(last.save(OutputStream.nullOutputStream()).limiters()).isZero();
    }

    @Test
    void restore_reservations_stayTaken() throws IOException {
        Limit limit = Limit.parse("leaky-bucket 1/s capacity 2");
        Reservation reservation = store.limiter("out", limit).reserve("key", 2);
        store.decideTentatively(List.of(store.limiter("held", limit).charge("key", 2)));
        MemoryStore restored = restored(saved(store), time);
        reservation.cancel();
        assertThat(restored.limiter("out", limit).peek("key").remaining()).isZero();
        assertThat(restored.limiter("held", limit).peek("key").remaining()).isZero();
    }

    @Test
    void restore_publications_goOnWithTheirNumbers() throws IOException {
        Publication policies = store.publication("policies");
        for (int i = 0; i < Publication.REMEMBERED + 5; i++) {
            policies.publish("edition \ud83d\ude00 " + i, i);
            time.advanceMicros(7);
        }
        List<Edition> history = policies.history().toCompletableFuture().join();
        Publication restored = restored(saved(store), time).publication("policies");
        assertThat(restored.history().toCompletableFuture().join()).isEqualTo(history);
        assertThat(restored.publish("late", 3).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(EditionConflictException.class);
        assertThat(restored.publish("next", 25).toCompletableFuture().join().number())
                .isEqualTo(26);
    }

    @Test
    void restore_keysOfAnyText_areTheSameKeys() throws IOException {
        List<String> keys =
                List.of("", "\ud800", "\udc00", "?", "\u0000", "a\u0080\u07ff\u0800\uffff", "x".repeat(70_000));
        RateLimiter limiter = store.limiter("limiter \ud800", Limit.parse("100/d"));
        for (int i = 0; i < keys.size(); i++) {
            limiter.check(keys.get(i), i + 1);
        }
        MemoryStore restored = restored(saved(store), time);
        assertThat(restored.size()).isEqualTo(keys.size());
        RateLimiter after = restored.limiter("limiter \ud800", Limit.parse("100/d"));
        for (int i = 0; i < keys.size(); i++) {
            assertThat(after.peek(keys.get(i)).remaining()).isEqualTo(99 - i);
        }
    }

    @Test
    void restore_moreKeysThanTheStoreMayHold_keepsThoseFarthestFromFresh() throws IOException {
        RateLimiter limiter = store.limiter("api", Limit.parse("1/s burst 1000"));
        for (int i = 0; i < 5000; i++) {
            limiter.check("idle" + i, 1);
        }
        for (int i = 0; i < 50; i++) {
            limiter.check("busy" + i, 1000);
        }
        MemoryStore small = MemoryStore.builder().time(time).maxKeys(100).build();
        small.restore(new ByteArrayInputStream(saved(store)));
        assertThat(small.size()).isEqualTo(100);
        assertThat(small.evictions()).isEqualTo(4950);
        RateLimiter restored = small.limiter("api", Limit.parse("1/s burst 1000"));
        long kept = 0;
        for (int i = 0; i < 50; i++) {
            kept += restored.peek("busy" + i).remaining() == 0 ? 1 : 0;
        }
        assertThat(kept).as("busy keys that are still known").isGreaterThan(45);
    }

    @Test
    void restore_intoAStoreInUse_isRefused() throws IOException {
        byte[] saved = saved(store);
        store.limiter("api", Limit.parse("1/s"));
        assertThatThrownBy(() -> store.restore(new ByteArrayInputStream(saved)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("(expected: a store that is not in use yet)");
    }

    @Test
    void save_limiterUpdatedMeanwhile_hasKeysOfOneLimitOnly() throws IOException {
        RateLimiter limiter = store.limiter("api", Limit.parse("fixed-window 100/d"));
        for (int i = 0; i < 20_000; i++) {
            limiter.check("key" + i, 80);
        }
        AtomicInteger pieces = new AtomicInteger();
        ByteArrayOutputStream out = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                if (pieces.incrementAndGet() == 5) {
                    limiter.update(Limit.parse("sliding-log 90/d"));
                }
                super.write(bytes, from, length);
            }
        };
        assertThat(store.save(out).keys()).isEqualTo(20_000);
        assertThat(pieces.get()).as("pieces that were written").isGreaterThan(8);
        MemoryStore restored = restored(out.toByteArray(), time);
        assertThat(restored.size()).isEqualTo(20_000);
        RateLimiter after = restored.limiter("api", Limit.parse("sliding-log 90/d"));
        for (int i = 0; i < 20_000; i++) {
            assertThat(after.peek("key" + i).remaining()).isEqualTo(10);
        }
    }

    @Test
    void save_streamThatFails_leavesTheStoreAsItWas() {
        RateLimiter limiter = store.limiter("api", Limit.parse("10/d"));
        limiter.check("key", 4);
        assertThatThrownBy(() -> store.save(new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("disk full");
                    }
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
        assertThat(limiter.check("key", 1).remaining()).isEqualTo(5);
    }

    /** The permits taken before the save and the permits of the restored store together never exceed the limit. */
    @Test
    void save_whileTwoThreadsDecide_losesNothing() throws Exception {
        int keys = 500;
        int permits = 1000;
        List<Limit> limits = List.of(
                Limit.parse(permits + "/d"),
                Limit.parse("fixed-window " + permits + "/d"),
                Limit.parse("sliding-log " + permits + "/d"));
        List<RateLimiter> limiters = limits.stream()
                .map(limit -> store.limiter(limit.toString(), limit))
                .toList();
        AtomicInteger[][] admitted = new AtomicInteger[limits.size()][keys];
        for (AtomicInteger[] of : admitted) {
            Arrays.setAll(of, i -> new AtomicInteger());
        }
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch running = new CountDownLatch(2);
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int seed = i;
            threads[i] = new Thread(() -> {
                Random random = new Random(seed);
                for (int n = 0; !stop.get(); n++) {
                    int limiter = random.nextInt(limits.size());
                    int key = random.nextInt(keys);
                    List<Charge> charge = List.of(limiters.get(limiter).charge("key" + key, 1));
                    if (n % 2 == 0
                            ? limiters.get(limiter).tryAcquire("key" + key)
                            : store.decide(charge).allowed()) {
                        admitted[limiter][key].incrementAndGet();
                    }
                    if (n == 1000) {
                        running.countDown();
                    }
                }
            });
            threads[i].start();
        }
        running.await();
        int[][] before = counts(admitted);
        byte[] saved = saved(store);
        int[][] after = counts(admitted);
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        MemoryStore restored = restored(saved, time);
        MemoryStore last = restored(saved(store), time);
        for (int l = 0; l < limits.size(); l++) {
            for (int k = 0; k < keys; k++) {
                String name = limits.get(l).toString();
                long used = permits
                        - restored.limiter(name, limits.get(l)).peek("key" + k).remaining();
                // Each thread may be between a decision and its count.
                assertThat(used).as("%s, key %s", name, k).isBetween((long) before[l][k], after[l][k] + 2L);
                long all = permits
                        - last.limiter(name, limits.get(l)).peek("key" + k).remaining();
                assertThat(all).as("%s, key %s", name, k).isEqualTo(admitted[l][k].get());
            }
        }
    }

    private static int[][] counts(AtomicInteger[][] admitted) {
        int[][] counts = new int[admitted.length][];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = Arrays.stream(admitted[i]).mapToInt(AtomicInteger::get).toArray();
        }
        return counts;
    }

    /** A store of the second format: a locked, a used and a paused key of a log, and 4 of 10 permits of a window. */
    private static final String SECOND_FORMAT =
            "c2x1aWNlGgJDAAAACICA8oGDiYUGPFcyPEwAAAAbBndpbmRvdwERZml4ZWQtd2luZG93IDEwL2gAGqwQzUsAAAAZAA"
                    + "EEdXNlZAAAAASAkLz9AgD///GBg4mFBrLNtC5MAAAAJQVsb2dpbgEcc2xpZGluZy1sb2cgNS9taW4gbG9ja291dCA1"
                    + "bQA8QYRaSwAAADcAAQZwYXVzZWQAAICHpw4AAQR1c2VkAAAAAQACAQZsb2NrZWQAgMaGjwEAAQAFAP//8YGDiYUGv4"
                    + "4CrkUAAAADAgQAkT/WVA==";

    @Test
    void restore_secondFormat_keepsUseLockoutAndPause() throws IOException {
        MemoryStore restored = restored(Base64.getDecoder().decode(SECOND_FORMAT), () -> 1_700_000_000_000_000L);
        RateLimiter login = restored.limiter("login", Limit.parse("sliding-log 5 per 1m lockout 5m"));
        assertThat(login.peek("locked", 1).retryAfter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(login.peek("used", 1).remaining()).isEqualTo(3);
        assertThat(login.peek("paused", 1).retryAfter()).isEqualTo(Duration.ofSeconds(30));
        assertThat(restored.limiter("window", Limit.parse("fixed-window 10 per 1h"))
                        .peek("used", 1)
                        .remaining())
                .isEqualTo(6);
    }

    /**
     * A limiter of {@code fixed-window 1000/d from-first}, 800 used, and {@code fixed-window 10/s}, after an update to the limits of
     * the test. An older release, which saved the tables in another order than the limits.
     */
    private static final String TABLES_IN_ANOTHER_ORDER =
            "c2x1aWNlGgNDAAAACIDQp66J0qMGURfsLUwAAAA4A2FwaQIRZml4ZWQtd2luZG93IDEwL3MeZml4ZWQtd2luZG93IDIw"
                    + "MDAvZCBmcm9tLWZpcnN0AQC5O4NCSwAAABkAAQNrZXkAAAAAoAaA6JImAP/Pp66J0qMGhS7gLUsAAAADAQAAGjUb"
                    + "tEUAAAADAQEAGvbkmg==";

    @Test
    void restore_tablesInAnotherOrder_takesOverInTheOrderOfTheLimits() throws IOException {
        time.advance(Duration.ofSeconds(80));
        byte[] saved = Base64.getDecoder().decode(TABLES_IN_ANOTHER_ORDER);
        RateLimiter limiter = restored(saved, time)
                .limiter("api", Limit.parse("fixed-window 5000/s"), Limit.parse("fixed-window 3000/d from-first"));
        assertThat(limiter.peek("key").remaining()).as("800 used, of 3000").isEqualTo(2200);
    }

    @Test
    void restore_afterAnUpdateToAnotherOrder_takesOverInTheLatestOrder() throws IOException {
        Limit perSecond = Limit.parse("fixed-window 10/s");
        RateLimiter limiter = store.limiter("api", Limit.parse("fixed-window 1000/d from-first"), perSecond);
        limiter.check("key", 8);
        limiter.update(perSecond, Limit.parse("fixed-window 2000/d from-first"));
        time.advance(Duration.ofSeconds(1));
        RateLimiter restored = restored(saved(store), time)
                .limiter("api", Limit.parse("fixed-window 5000/s"), Limit.parse("fixed-window 3000/d from-first"));
        assertThat(restored.peek("key").remaining()).as("8 used, of 3000").isEqualTo(2992);
    }

    @Test
    void restore_escalatedLockout_goesOnWhereItWas() throws IOException {
        Limit limit = Limit.parse("sliding-log 1 per 1m lockout 1m escalate 3");
        RateLimiter limiter = store.limiter("login", limit);
        limiter.check("key", 1);
        limiter.check("key", 1);
        time.advance(Duration.ofHours(2));
        RateLimiter restored = restored(saved(store), time).limiter("login", limit);
        restored.check("key", 1);
        assertThat(restored.check("key", 1).retryAfter()).isEqualTo(Duration.ofMinutes(2));
    }

    private static byte[] saved(MemoryStore store) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.save(out);
        return out.toByteArray();
    }

    private static MemoryStore restored(byte[] saved, TimeSource time) throws IOException {
        MemoryStore restored = MemoryStore.builder().time(time).build();
        restored.restore(new ByteArrayInputStream(saved));
        return restored;
    }
}
