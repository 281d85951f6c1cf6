package io.sluice.redis.call;

import io.lettuce.core.RedisCommandExecutionException;
import io.sluice.TimeSource;
import io.sluice.redis.connect.Link;
import io.sluice.redis.connect.NoAnswerException;
import io.sluice.redis.connect.Shard;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Script;
import io.sluice.redis.script.Status;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/*
 * One script call is on its way at a time. Calls that come meanwhile wait, and leave together as soon as the answer is there.
 * So a hot key costs one script call per round trip, however many callers there are, and no call waits for a timer. Without
 * other calls, a call leaves at once.
 */
/** The queue of calls that can be batched: all calls to a single server, or those to one slot of a cluster. */
final class Lane {
    /** Several batches could overtake each other, but the calls of one caller must be decided in order. */
    private static final int MOST_IN_FLIGHT = 1;

    /** When to send calls again whose keys are being moved to another server. */
    private static final long MOVING_MICROS = 5_000;

    private final Lanes lanes;
    private final int slot;
    private final Queue<Call<?>> queue = new ConcurrentLinkedQueue<>();

    /** The batches on their way, and the server that got each of them. */
    private final Map<Batch, Shard> inFlight = new ConcurrentHashMap<>();

    private final AtomicInteger flights = new AtomicInteger();
    private final AtomicInteger pumping = new AtomicInteger();

    Lane(Lanes lanes, int slot) {
        this.lanes = lanes;
        this.slot = slot;
    }

    void queue(Call<?> call) {
        queue.add(call);
    }

    /** Sends waiting calls. One thread at a time does this; it also does the work of threads that come meanwhile. */
    void pump() {
        if (pumping.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            while (flights.get() < MOST_IN_FLIGHT && !queue.isEmpty()) {
                sendNext();
            }
            seen = pumping.addAndGet(-seen);
        } while (seen != 0);
    }

    private void sendNext() {
        Batch batch = new Batch();
        boolean alone = false;
        for (Call<?> call = queue.peek(); call != null && !alone && !batch.isFull(); call = queue.peek()) {
            alone = call.alone && !call.isSettled();
            if (alone && batch.size() > 0) {
                break;
            }
            queue.remove();
            if (!call.isSettled()) {
                batch.add(call);
            } else {
                // The caller may have cancelled it, so nothing else will settle it.
                call.claim();
            }
        }
        if (batch.size() > 0) {
            send(batch);
        }
    }

    private void send(Batch batch) {
        Link link = lanes.connection.link();
        Shard shard = lanes.shards.of(link, slot);
        if (link == null || !shard.mayAsk()) {
            batch.claim();
            batch.fail();
            return;
        }
        flights.incrementAndGet();
        inFlight.put(batch, shard);
        transmit(link, shard, batch);
    }

    private void transmit(Link link, Shard shard, Batch batch) {
        boolean virtual = lanes.virtual;
        long sentAt = System.nanoTime();
        long notAfter = virtual ? 0 : shard.redisMicros(lanes.stalls.end(sentAt, batch.deadline));
        long now = virtual ? 0 : shard.redisMicros(sentAt);
        Batch.ScriptArguments arguments = lanes.adoption.asOfOneMoment(() -> batch.arguments(notAfter, now, virtual));
        batch.sent = System.nanoTime();
        batch.cancel = link.call(
                Script.DECIDE,
                arguments.keys(),
                arguments.values(),
                (reply, failure) -> received(link, shard, batch, reply, failure));
    }

    private void received(Link link, Shard shard, Batch batch, byte @Nullable [] bytes, @Nullable Throwable failure) {
        if (failure != null && isMoving(failure)) {
            repeatLater(link, shard, batch);
            return;
        } else if (failure != null && isScriptError(failure)) {
            batch.nothingDone();
            shard.refused();
            if (batch.claim()) {
                leave(batch);
                refused(batch, failure);
                pump();
            }
            return;
        } else if (failure != null || bytes == null) {
            if (failure instanceof RedisCommandExecutionException) {
                batch.nothingDone();
            } else {
                batch.outcomeUnknown();
            }
            if (batch.claim()) {
                leave(batch);
                lanes.health.failed(
                        link, shard, batch, failure == null ? new IllegalStateException("no reply") : failure);
                batch.fail();
                pump();
            }
            return;
        }
        long now = System.nanoTime();
        Reply reply = new Reply(bytes);
        Status status = Status.of((int) reply.number(1));
        long redisMicros = reply.number(7);
        if (status != Status.DECIDED) {
            batch.nothingDone();
        }
        if (status == Status.DECIDED) {
            boolean inTime = batch.claim();
            if (inTime) {
                leave(batch);
                shard.answered(redisMicros, now);
                lanes.health.called(batch, now - batch.sent);
                // Before the callers get their answers: Redis can work while they wake up.
                pump();
            } else {
                shard.answeredLate();
            }
            batch.answer(reply, lanes.decisionLog);
        } else if (status == Status.NEWER_VERSION || status == Status.NEEDS_HISTORY) {
            shard.answered(redisMicros, now);
            otherVersion(link, shard, batch, status, reply);
        } else if (status == Status.NEEDS_WINDOW && batch.addWindow(reply.number(7))) {
            shard.answered(redisMicros, now);
            transmit(link, shard, batch);
        } else if (batch.claim()) {
            leave(batch);
            if (status == Status.TOO_LATE) {
                shard.resync(redisMicros, now);
                shard.answered(redisMicros, now);
                repeat(batch.calls(), now);
            } else {
                shard.answered(redisMicros, now);
                refused(
                        batch,
                        new IllegalStateException(
                                status == Status.NEEDS_WINDOW
                                        ? "window of the calendar refused (expected: it contains the time of Redis)"
                                        : "state of format " + reply.number(1)
                                                + " (expected: 1 or 2; a newer release has written it)"));
            }
            pump();
        } else {
            shard.answeredLate();
        }
    }

    /** Redis is well, but the script could not read a key. Sends the calls again, each in a batch of its own. */
    private void refused(Batch batch, Throwable cause) {
        List<Call<?>> calls = batch.calls();
        lanes.health.refused(batch, cause);
        for (Call<?> call : calls) {
            if (calls.size() == 1 || call.alone) {
                call.fail();
            } else {
                call.alone = true;
                queue.add(call);
            }
        }
    }

    private static boolean isScriptError(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof RedisCommandExecutionException
                && message.contains("user_script")
                && !message.contains("-OOM")
                && !message.contains("OOM command")
                && !message.contains("READONLY")
                && !message.contains("MISCONF")
                && !message.contains("NOREPLICAS");
    }

    /** Whether keys of the slot are being moved to another server. Then nothing was executed. */
    private static boolean isMoving(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("TRYAGAIN");
    }

    private void repeatLater(Link link, Shard shard, Batch batch) {
        batch.nothingDone();
        shard.refused();
        if (System.nanoTime() + MOVING_MICROS * 1000 - batch.deadline < 0) {
            TimeSource.system().schedule(MOVING_MICROS, () -> {
                if (inFlight.containsKey(batch)) {
                    transmit(link, shard, batch);
                }
            });
        } else if (batch.claim()) {
            leave(batch);
            batch.fail();
            pump();
        }
    }

    /** A key was written under another version of a limiter's limits. Nothing was executed. */
    private void otherVersion(Link link, Shard shard, Batch batch, Status status, Reply reply) {
        LimiterContext limiter = batch.limiter((int) reply.number(2));
        int version = (int) reply.number(4);
        if (status == Status.NEEDS_HISTORY && batch.addHistory()) {
            transmit(link, shard, batch);
            return;
        }
        lanes.config.catchUp(limiter.agreement, version).whenComplete((done, failure) -> {
            if (batch.claim()) {
                leave(batch);
                if (failure == null) {
                    // The next attempt may meet a key of yet another version. Only the deadline ends that.
                    batch.calls().forEach(call -> call.repeated = false);
                }
                repeat(batch.calls(), System.nanoTime());
                pump();
            }
        });
    }

    /** Sends calls again that Redis has not executed. */
    private void repeat(List<Call<?>> calls, long now) {
        for (Call<?> call : calls) {
            if (lanes.stalls.isLate(now, call.deadline) || call.repeated) {
                call.fail();
            } else {
                call.repeated = true;
                queue.add(call);
            }
        }
    }

    private void leave(Batch batch) {
        if (inFlight.remove(batch) != null) {
            flights.decrementAndGet();
        }
    }

    /** Gives up late calls. Returns whether calls are still waiting or on their way. */
    boolean sweep(long now) {
        Link link = lanes.connection.link();
        boolean unsent = link == null || !link.isOpen();
        inFlight.forEach((batch, shard) -> {
            batch.failLate(now, lanes.stalls);
            if (lanes.stalls.isLate(now, batch.deadline)) {
                // A late answer says what must be given back, so the script call is not cancelled. It is cancelled only
                // if it may still be unsent and has no deadline for Redis.
                giveUp(batch, shard, unsent || shard.redisMicros(now) == 0, NoAnswerException.deadlinePassed());
            }
        });
        for (Call<?> call : queue) {
            if (lanes.stalls.isLate(now, call.deadline)) {
                call.fail();
            }
        }
        pump();
        return !inFlight.isEmpty() || !queue.isEmpty();
    }

    /** The connection is lost. The batches on their way will have no answer, and must not be sent again. */
    void disconnected() {
        inFlight.forEach((batch, shard) -> giveUp(batch, shard, true, NoAnswerException.notConnected()));
        pump();
    }

    private void giveUp(Batch batch, Shard shard, boolean cancels, NoAnswerException why) {
        if (batch.claim()) {
            if (cancels) {
                batch.cancel.run();
            }
            leave(batch);
            lanes.health.failed(lanes.connection.link(), shard, batch, why);
            batch.fail();
        }
    }
}
