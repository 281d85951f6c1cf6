package io.sluice.redis;

import io.sluice.redis.Call.Verb;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The calls that ride in one script call. They are decided in order; equal ones of one key are said once. */
final class Batch {
    /** More would keep Redis busy for too long at once. */
    static final int MOST_CALLS = 1024;

    private static final int MOST_TIMES = 0xffff;

    /** The verb by which a key comes to another limit; as in {@code main.lua}. */
    private static final int BRING = 17;

    private final List<Slot> slots = new ArrayList<>();
    private final Map<Place, Slot> places = new HashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private final Set<RedisLimiter> needHistory = new HashSet<>();
    private final AtomicBoolean answered = new AtomicBoolean();
    private List<RedisLimiter> limiters = List.of();

    /** The number of each limiter's terms, and of those that calls bring. */
    private final Map<Object, Integer> numbers = new HashMap<>();

    /** Whether keys with limits of their own may have entries in a further key. */
    private boolean ownSpills;

    private final Map<RedisLimiter, Terms> terms = new HashMap<>();
    private int size;

    /** When it was sent, on the monotonic clock. */
    long sent;

    /** When the last of its calls is given up. */
    long deadline = Long.MAX_VALUE;

    /** What gives up waiting for the answer. */
    Runnable cancel = () -> {};

    private record Place(RedisLimiter limiter, String key) {}

    /** A key asked about. */
    private static final class Slot {
        final Place place;
        final int number;

        /** What may still be said once more. */
        @Nullable
        Run last;

        /** What the first call brings, where calls bring their limits; the same for all, unless there are several. */
        @Nullable
        Terms first;

        boolean several;

        /** What the latest call brought, while they are encoded. */
        @Nullable
        Terms present;

        Slot(Place place, int number) {
            this.place = place;
            this.number = number;
        }

        /** Whether a call brings another limit than the one before it. */
        boolean isNew(@Nullable Terms own) {
            Terms brought = own == null ? Terms.WHATEVER : own;
            if (!several || present == null || brought.isLike(present)) {
                return false;
            }
            present = brought;
            return true;
        }
    }

    /** Equal calls. */
    private static final class Run {
        final Call<?> first;
        final List<Call<?>> calls = new ArrayList<>(2);

        Run(Call<?> first) {
            this.first = first;
            calls.add(first);
        }

        boolean takes(Call<?> call) {
            return first.verb == call.verb
                    && first.permits == call.permits
                    && isLike(first.own(), call.own())
                    && first.virtualMicros == call.virtualMicros
                    && calls.size() < MOST_TIMES;
        }
    }

    private static boolean isLike(@Nullable Terms x, @Nullable Terms y) {
        return x == y || (x != null && y != null && x.isLike(y));
    }

    /** What the script is given. */
    record Arguments(List<byte[]> keys, List<byte[]> values) {}

    int size() {
        return size;
    }

    boolean isFull() {
        return size >= MOST_CALLS || slots.size() >= MOST_CALLS;
    }

    void add(Call<?> call) {
        size++;
        deadline = size == 1 || call.deadline - deadline > 0 ? call.deadline : deadline;
        Slot slot = slot(call.limiter, call.key);
        if (call instanceof JointCall joint) {
            for (JointCall.Ask ask : joint.asks) {
                Slot asked = slot(ask.limiter(), ask.key());
                asked.last = null;
                bring(asked, ask.own());
            }
        } else if (slot.last != null && slot.last.takes(call)) {
            slot.last.calls.add(call);
            return;
        } else {
            bring(slot, call.own());
        }
        Run run = new Run(call);
        runs.add(run);
        slot.last = call.verb == Verb.CHECK || call.verb == Verb.TRY ? run : null;
    }

    /** Notes the limit that a call brings to a key; one that brings none is about whatever limit the key has. */
    private void bring(Slot slot, @Nullable Terms own) {
        if (slot.place.limiter().carries()) {
            Terms brought = own == null ? Terms.WHATEVER : own;
            slot.first = slot.first == null ? brought : slot.first;
            slot.several |= !brought.isLike(slot.first);
            ownSpills |= brought.spills > 0;
        }
    }

    private Slot slot(RedisLimiter limiter, String key) {
        Slot slot = places.get(new Place(limiter, key));
        if (slot == null) {
            Place place = new Place(limiter, key);
            slot = new Slot(place, slots.size() + 1);
            slots.add(slot);
            places.put(place, slot);
        }
        return slot;
    }

    int number(RedisLimiter limiter, String key) {
        return slot(limiter, key).number;
    }

    /** @param notAfter when to give up, by the clock of Redis; 0 for no such time */
    Arguments arguments(long notAfter, boolean virtual) {
        boolean quick = needHistory.isEmpty()
                && !ownSpills
                && runs.stream().allMatch(Batch::isQuick)
                && slots.stream().noneMatch(slot -> slot.several);
        if (quick) {
            runs.sort(Comparator.comparingInt(run -> number(run.first.limiter, run.first.key)));
        }
        List<byte[]> keys = new ArrayList<>(slots.size());
        List<byte[]> values = new ArrayList<>(4);
        limiters = new ArrayList<>();
        List<byte[]> encoded = new ArrayList<>();
        terms.clear();
        numbers.clear();
        int ownSpills = this.ownSpills || !needHistory.isEmpty() ? 1 : 0;
        Bytes which = new Bytes(2 * slots.size());
        for (Slot slot : slots) {
            RedisLimiter limiter = slot.place.limiter();
            int spills = ownSpills;
            if (slot.first != null) {
                which.number(brought(limiter, slot.first, ownSpills, encoded), 2);
            } else {
                which.number(inForce(limiter, encoded), 2);
                spills = terms(limiter).spills;
            }
            byte[] name = limiter.keyName(slot.place.key());
            keys.add(name);
            for (int i = 1; i <= spills; i++) {
                keys.add(KeyNames.spill(name, i));
            }
        }
        byte[] requests = requests(virtual, ownSpills, encoded);
        values.add(new Bytes(15)
                .number(virtual ? 1 : 0, 1)
                .number(quick ? 1 : 0, 1)
                .number(notAfter, 7)
                .number(ThreadLocalRandom.current().nextLong(1, 1L << 47), 6)
                .toArray());
        values.add(which.toArray());
        values.add(requests);
        values.addAll(encoded);
        return new Arguments(keys, values);
    }

    private static boolean isQuick(Run run) {
        Verb verb = run.first.verb;
        Terms own = run.first.own();
        return (verb == Verb.CHECK || verb == Verb.TRY || verb == Verb.PEEK)
                && (own == null ? run.first.limiter.terms() : own).quick;
    }

    /** The number of the terms in force of a limiter, which are encoded if they are new. */
    private int inForce(RedisLimiter limiter, List<byte[]> encoded) {
        Integer known = numbers.get(limiter);
        if (known != null) {
            return known;
        }
        Terms inForce = limiter.terms();
        terms.put(limiter, inForce);
        limiters.add(limiter);
        encoded.add(needHistory.contains(limiter) ? inForce.encodedWithHistory() : inForce.encoded);
        numbers.put(limiter, limiters.size());
        return limiters.size();
    }

    /** The number of terms that a call brings, which are encoded if they are new. */
    private int brought(RedisLimiter limiter, Terms own, int spills, List<byte[]> encoded) {
        Integer known = numbers.get(own);
        if (known != null) {
            return known;
        }
        terms.put(limiter, Terms.WHATEVER);
        limiters.add(limiter);
        encoded.add(spills == own.spills ? own.encoded : own.encoded(spills));
        numbers.put(own, limiters.size());
        return limiters.size();
    }

    private byte[] requests(boolean virtual, int ownSpills, List<byte[]> encoded) {
        Bytes requests = new Bytes(20 * runs.size());
        slots.forEach(slot -> slot.present = slot.first);
        for (Run run : runs) {
            Call<?> call = run.first;
            for (Slot slot : toldAnew(call)) {
                requests.number(BRING, 1)
                        .number(slot.number, 2)
                        .number(
                                brought(slot.place.limiter(), Objects.requireNonNull(slot.present), ownSpills, encoded),
                                7)
                        .number(0, 2);
                if (virtual) {
                    requests.number(call.virtualMicros, 7);
                }
            }
            requests.number(call.code(this), 1)
                    .number(number(call.limiter, call.key), 2)
                    .number(call.permits, 7)
                    .number(call instanceof JointCall joint ? joint.asks.size() : run.calls.size(), 2);
            if (virtual) {
                requests.number(call.virtualMicros, 7);
            }
            call.encode(requests, this);
        }
        return requests.toArray();
    }

    /** The keys to which a call brings another limit than the one before it. */
    private List<Slot> toldAnew(Call<?> call) {
        if (!(call instanceof JointCall joint)) {
            Slot slot = slot(call.limiter, call.key);
            return slot.isNew(call.own()) ? List.of(slot) : List.of();
        }
        List<Slot> told = new ArrayList<>(0);
        for (JointCall.Ask ask : joint.asks) {
            Slot slot = slot(ask.limiter(), ask.key());
            if (slot.isNew(ask.own())) {
                told.add(slot);
            }
        }
        return told;
    }

    /** Whether this is the first to settle the batch, by an answer or without one. */
    boolean claim() {
        return answered.compareAndSet(false, true);
    }

    /** Tells every call its answer. */
    void answer(Reply reply) {
        for (Run run : runs) {
            if (run.first.verb == Verb.CHECK || run.first.verb == Verb.TRY) {
                answerRun(run, reply);
            } else {
                run.first.answer(reply);
            }
        }
    }

    private static void answerRun(Run run, Reply reply) {
        int allowed = (int) reply.number(2);
        int full = (int) reply.number(2);
        Reply.Verdict verdict = null;
        for (int i = 0; i < allowed; i++) {
            verdict = verdict == null || i < full ? reply.verdict() : reply.next(verdict, run.first.permits);
            answer(run.calls.get(i), verdict, reply);
        }
        if (allowed < run.calls.size()) {
            Reply.Verdict denied = reply.verdict();
            for (Call<?> call : run.calls.subList(allowed, run.calls.size())) {
                answer(call, denied, reply);
            }
        }
    }

    private static void answer(Call<?> call, Reply.Verdict verdict, Reply reply) {
        DecisionLog log = call.limiter.store().decisionLog;
        if (log != null) {
            log.decided(call, verdict.decision(), reply.micros());
        }
        ((CheckCall) call).answer(verdict);
    }

    /** The terms under which it is sent. */
    Terms terms(RedisLimiter limiter) {
        return Objects.requireNonNull(terms.get(limiter));
    }

    /** The limiter that the script means by a number. */
    RedisLimiter limiter(int number) {
        return limiters.get(number - 1);
    }

    /** Will be sent with the history of its limiters. Returns false if it was already. */
    boolean bringHistory() {
        return needHistory.addAll(limiters);
    }

    List<Call<?>> calls() {
        List<Call<?>> calls = new ArrayList<>(size);
        runs.forEach(run -> calls.addAll(run.calls));
        return calls;
    }

    /** Gives up the calls whose own time is over; the others may still be answered. */
    void failLate(long now) {
        for (Run run : runs) {
            for (Call<?> call : run.calls) {
                if (call.isLate(now)) {
                    call.fail();
                }
            }
        }
    }

    void fail() {
        calls().forEach(Call::fail);
    }

    /** Redis has done nothing of it. */
    void nothingDone() {
        calls().forEach(Call::nothingDone);
    }

    /** Nobody will say whether Redis has done it. */
    void outcomeUnknown() {
        calls().forEach(Call::outcomeUnknown);
    }
}
