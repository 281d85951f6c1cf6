package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.CalendarTimes;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
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

/** The calls of one script call. The script decides them in order. Identical calls on one key are merged. */
final class Batch {
    /** More calls would keep Redis busy for too long at once. */
    static final int MOST_CALLS = 1024;

    private final List<BatchedKey> keys = new ArrayList<>();
    private final Map<CalledKey, BatchedKey> byName = new HashMap<>();
    private final List<MergedCalls> requests = new ArrayList<>();
    private final Set<LimiterContext> needHistory = new HashSet<>();
    private final AtomicBoolean settled = new AtomicBoolean();
    private List<LimiterContext> limiters = List.of();

    /** The numbers by which the script call names limits: by limiter, or by the limit that came with a call. */
    private final Map<Object, Integer> numbers = new HashMap<>();

    /** Whether a limit that came with a call may need a spill key. */
    private boolean callLimitsSpill;

    /** The times at which a key needs a window of the calendar, as the script has said. */
    private final Set<Long> windowTimes = new HashSet<>();

    private CalendarTimes times = CalendarTimes.NONE;

    private final Map<LimiterContext, VersionedLimits> versions = new HashMap<>();
    private int size;

    /** Records of reservations, which stand behind all other keys, and the number of these. */
    private final List<byte[]> records = new ArrayList<>(0);

    private int namesBeforeRecords;

    /** When it was sent, on the monotonic clock. */
    long sent;

    /** The latest deadline of its calls, on the monotonic clock. */
    long deadline = Long.MAX_VALUE;

    /** Cancels the script call. */
    Runnable cancel = () -> {};

    /** The keys and arguments of a script call. */
    record ScriptArguments(List<byte[]> keys, List<byte[]> values) {}

    int size() {
        return size;
    }

    boolean isFull() {
        return size >= MOST_CALLS || keys.size() >= MOST_CALLS;
    }

    void add(Call<?> call) {
        size++;
        deadline = size == 1 || call.deadline - deadline > 0 ? call.deadline : deadline;
        BatchedKey key = key(call.limiter, call.key);
        if (!call.charges().isEmpty()) {
            for (KeyCharge charge : call.charges()) {
                BatchedKey charged = key(charge.limiter(), charge.key());
                charged.last = null;
                addLimit(charged, charge.callLimit());
            }
        } else if (key.last != null && key.last.canTake(call)) {
            key.last.calls.add(call);
            return;
        } else {
            addLimit(key, call.callLimit());
        }
        MergedCalls request = new MergedCalls(call);
        requests.add(request);
        key.last = call.verb.isMerged() ? request : null;
    }

    private void addLimit(BatchedKey key, @Nullable VersionedLimits callLimit) {
        if (key.key.limiter().takesCallLimits()) {
            VersionedLimits limit = BatchedKey.orUnspecified(callLimit);
            key.addLimit(limit);
            callLimitsSpill |= limit.spills > 0;
        }
    }

    private BatchedKey key(LimiterContext limiter, String key) {
        CalledKey name = new CalledKey(limiter, key);
        BatchedKey known = byName.get(name);
        if (known == null) {
            known = new BatchedKey(name, keys.size() + 1);
            keys.add(known);
            byName.put(name, known);
        }
        return known;
    }

    /** The number by which requests name a key, from 1. */
    int number(LimiterContext limiter, String key) {
        return key(limiter, key).number;
    }

    /** The number of a record in the keys of the script call, from 1. */
    int recordNumber(byte[] name) {
        records.add(name);
        return namesBeforeRecords + records.size();
    }

    /**
     * Encodes the calls for the decide script; {@code head.lua} describes the arguments.
     *
     * @param notAfter the deadline in microseconds of the clock of Redis; 0 for none
     * @param now the present time of Redis as far as it is known, or 0
     * @param virtual whether requests bring their own time
     */
    ScriptArguments arguments(long notAfter, long now, boolean virtual) {
        times = calendarTimes(now, virtual);
        int quick = needHistory.isEmpty() && !callLimitsSpill && keys.stream().noneMatch(BatchedKey::hasSeveralLimits)
                ? quick()
                : 0;
        if (quick > 0) {
            requests.sort(Comparator.comparingInt(request -> number(request.first.limiter, request.first.key)));
        }
        List<byte[]> names = new ArrayList<>(keys.size());
        List<byte[]> values = new ArrayList<>(4);
        limiters = new ArrayList<>();
        List<byte[]> encodedLimits = new ArrayList<>();
        versions.clear();
        numbers.clear();
        int callLimitSpills = callLimitsSpill || !needHistory.isEmpty() ? 1 : 0;
        Bytes limitNumbers = new Bytes(2 * keys.size());
        for (BatchedKey key : keys) {
            LimiterContext limiter = key.key.limiter();
            int spills = callLimitSpills;
            if (key.firstLimit != null) {
                limitNumbers.number(numberOf(key.firstLimit, limiter, callLimitSpills, encodedLimits), 2);
            } else {
                limitNumbers.number(numberOf(limiter, encodedLimits), 2);
                spills = versions(limiter).spills;
            }
            byte[] name = limiter.keyName(key.key.key());
            names.add(name);
            for (int i = 1; i <= spills; i++) {
                names.add(KeyNames.spill(name, i));
            }
        }
        records.clear();
        namesBeforeRecords = names.size();
        byte[] encodedRequests = encodeRequests(virtual, callLimitSpills, encodedLimits);
        names.addAll(records);
        values.add(new Bytes(15)
                .number(virtual ? 1 : 0, 1)
                .number(quick, 1)
                .number(notAfter, 7)
                .number(ThreadLocalRandom.current().nextLong(1, 1L << 47), 6)
                .toArray());
        values.add(limitNumbers.toArray());
        values.add(encodedRequests);
        values.addAll(encodedLimits);
        return new ScriptArguments(names, values);
    }

    private CalendarTimes calendarTimes(long now, boolean virtual) {
        if (!virtual && windowTimes.isEmpty()) {
            return now == 0 ? CalendarTimes.NONE : CalendarTimes.of(Set.of(now));
        }
        Set<Long> all = new HashSet<>(windowTimes);
        if (virtual) {
            requests.forEach(request -> all.add(request.first.virtualMicros));
        } else {
            all.add(now);
        }
        return CalendarTimes.of(all);
    }

    /** Which fragment may decide the batch: 1 for {@code quick.lua}, 2 for {@code quick_concurrency.lua}, 0 for none of them. */
    private int quick() {
        if (requests.stream().allMatch(Batch::isQuick)) {
            return 1;
        }
        return requests.stream().allMatch(Batch::isQuickHold) ? 2 : 0;
    }

    private static boolean isQuick(MergedCalls request) {
        Verb verb = request.first.verb;
        return (verb.isCheck() || verb == Verb.PEEK) && request.limits().quick;
    }

    private static boolean isQuickHold(MergedCalls request) {
        Verb verb = request.first.verb;
        return (verb.isEnter() || verb == Verb.LEAVE || verb == Verb.PEEK) && request.limits().quickHolds;
    }

    /** The number of a limiter's limits in force. Encodes them if they are not yet in the list. */
    private int numberOf(LimiterContext limiter, List<byte[]> encodedLimits) {
        Integer known = numbers.get(limiter);
        if (known != null) {
            return known;
        }
        VersionedLimits inForce = limiter.versions();
        versions.put(limiter, inForce);
        limiters.add(limiter);
        encodedLimits.add(inForce.encoded(needHistory.contains(limiter), times));
        numbers.put(limiter, limiters.size());
        return limiters.size();
    }

    /** The number of a limit that came with a call. Encodes it if it is not yet in the list. */
    private int numberOf(VersionedLimits callLimit, LimiterContext limiter, int spills, List<byte[]> encodedLimits) {
        Integer known = numbers.get(callLimit);
        if (known != null) {
            return known;
        }
        versions.put(limiter, VersionedLimits.UNSPECIFIED);
        limiters.add(limiter);
        encodedLimits.add(
                spills == callLimit.spills ? callLimit.encoded(false, times) : callLimit.encoded(spills, times));
        numbers.put(callLimit, limiters.size());
        return limiters.size();
    }

    private byte[] encodeRequests(boolean virtual, int callLimitSpills, List<byte[]> encodedLimits) {
        Bytes bytes = new Bytes(20 * requests.size());
        keys.forEach(key -> key.encodedLimit = key.firstLimit);
        for (MergedCalls request : requests) {
            Call<?> call = request.first;
            for (BatchedKey key : keysWithAnotherLimit(call)) {
                VersionedLimits limit = Objects.requireNonNull(key.encodedLimit);
                bytes.number(Verb.BRING.code(), 1)
                        .number(key.number, 2)
                        .number(numberOf(limit, key.key.limiter(), callLimitSpills, encodedLimits), 7)
                        .number(0, 2);
                if (virtual) {
                    bytes.number(call.virtualMicros, 7);
                }
            }
            Entering entering = call.entering();
            if (entering != null) {
                encodeRequest(bytes, Verb.HOLDER.code(), call, call.charges().size(), virtual);
                entering.encode(bytes, call.charges());
            }
            encodeRequest(bytes, call.code(this), call, call.times(request.calls.size()), virtual);
            if (call.verb.namesHolds() && !isOutdated(request)) {
                request.calls.forEach(each -> each.encode(bytes, this));
            } else if (!call.verb.namesHolds()) {
                call.encode(bytes, this);
            }
        }
        return bytes.toArray();
    }

    private void encodeRequest(Bytes bytes, int code, Call<?> call, int times, boolean virtual) {
        bytes.number(code, 1)
                .number(number(call.limiter, call.key), 2)
                .number(call.permits, 7)
                .number(times, 2);
        if (virtual) {
            bytes.number(call.virtualMicros, 7);
        }
    }

    /** Whether calls expect another limit than that in force, so that they only look. */
    private static boolean isOutdated(MergedCalls request) {
        return request.first instanceof CheckCall check && check.isOutdated();
    }

    /** The keys to which a call brings another limit than the call before it. */
    private List<BatchedKey> keysWithAnotherLimit(Call<?> call) {
        if (call.charges().isEmpty()) {
            BatchedKey key = key(call.limiter, call.key);
            return key.changesLimit(call.callLimit()) ? List.of(key) : List.of();
        }
        List<BatchedKey> changed = new ArrayList<>(0);
        for (KeyCharge charge : call.charges()) {
            BatchedKey key = key(charge.limiter(), charge.key());
            if (key.changesLimit(charge.callLimit())) {
                changed.add(key);
            }
        }
        return changed;
    }

    /** Settles the batch. Returns false if it was settled before, by an answer or without one. */
    boolean claim() {
        return settled.compareAndSet(false, true);
    }

    /** Gives every call its answer. */
    void answer(Reply reply, @Nullable DecisionLog log) {
        for (MergedCalls request : requests) {
            if (isOutdated(request)) {
                Decision look = reply.verdict().decision();
                request.calls.forEach(call -> ((CheckCall) call).outdated(look));
            } else if (request.first.verb.isCheck() || request.first.verb.isEnter()) {
                answerEach(request, reply, log);
            } else {
                request.calls.forEach(call -> call.answer(reply));
            }
        }
    }

    private static void answerEach(MergedCalls request, Reply reply, @Nullable DecisionLog log) {
        int allowed = (int) reply.number(2);
        int full = (int) reply.number(2);
        Reply.Verdict verdict = null;
        for (int i = 0; i < allowed; i++) {
            verdict = verdict == null || i < full ? reply.verdict() : reply.next(verdict, request.first.permits);
            answer(request.calls.get(i), verdict, reply, log);
        }
        if (allowed < request.calls.size()) {
            Reply.Verdict denied = reply.verdict();
            for (Call<?> call : request.calls.subList(allowed, request.calls.size())) {
                answer(call, denied, reply, log);
            }
        }
    }

    private static void answer(Call<?> call, Reply.Verdict verdict, Reply reply, @Nullable DecisionLog log) {
        if (log != null) {
            log.decided(call.key, call.permits, verdict.decision(), reply.micros());
        }
        ((CheckCall) call).answer(verdict);
    }

    /** The limits of a limiter under which the batch was encoded. */
    VersionedLimits versions(LimiterContext limiter) {
        return Objects.requireNonNull(versions.get(limiter));
    }

    /** The limiter of the limits with that number. */
    LimiterContext limiter(int number) {
        return limiters.get(number - 1);
    }

    /** From now on, limits are encoded with their history. Returns false if they already were. */
    boolean addHistory() {
        return needHistory.addAll(limiters);
    }

    /** From now on, windows of the calendar at that time are sent too. Returns false if they already were. */
    boolean addWindow(long time) {
        return windowTimes.add(time);
    }

    List<Call<?>> calls() {
        List<Call<?>> calls = new ArrayList<>(size);
        requests.forEach(request -> calls.addAll(request.calls));
        return calls;
    }

    /** Gives up the calls whose own deadline has passed. Redis may still answer the others. */
    void failLate(long now, Stalls stalls) {
        for (MergedCalls request : requests) {
            for (Call<?> call : request.calls) {
                if (stalls.isLate(now, call.deadline)) {
                    call.fail();
                }
            }
        }
    }

    void fail() {
        calls().forEach(Call::fail);
    }

    /** Redis has executed nothing of the batch. */
    void nothingDone() {
        calls().forEach(Call::nothingDone);
    }

    /** It will never be known whether Redis has executed the batch. */
    void outcomeUnknown() {
        calls().forEach(Call::outcomeUnknown);
    }
}
