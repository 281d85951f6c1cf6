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
 * One script call is on its way at a time; what arrives meanwhile waits, and leaves together with the next one as soon
 * as an answer is there. So a hot key costs one call for a whole round trip, however many ask, and nobody waits for
 * a timer. Without a crowd, a call leaves at once.
 */
/** The way to Redis of calls that may ride together: all of a single server, those of one slot in a cluster. */
final class Lane {
    /** More could overtake each other on their way, and what one caller asks is decided in the order of asking. */
    private static final int MOST_IN_FLIGHT = 1;

    /** How soon to ask again for keys that are being moved. */
    private static final long MOVING_MICROS = 5_000;

    private final Lanes lanes;
    private final int slot;
    private final Queue<Call<?>> queue = new ConcurrentLinkedQueue<>();

    /** What is on its way, and the server that was asked: whether it answers counts for that one. */
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

    /** Sends what waits, as far as may be. One thread at a time; who comes meanwhile leaves it to that one. */
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
                // Cancelled, perhaps: nobody will settle it any more.
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
        long notAfter = virtual ? 0 : shard.redisMicros(lanes.stalls.end(System.nanoTime(), batch.deadline));
        Batch.ScriptArguments arguments = lanes.config.asOfOneMoment(() -> batch.arguments(notAfter, virtual));
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
                // Before the callers are told: Redis has work while they wake up.
                pump();
            } else {
                shard.answeredLate();
            }
            batch.answer(reply, lanes.decisionLog);
        } else if (status == Status.NEWER_VERSION || status == Status.NEEDS_HISTORY) {
            shard.answered(redisMicros, now);
            otherVersion(link, shard, batch, status, reply);
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
                        new IllegalStateException("state of format " + reply.number(1)
                                + " (expected: 1 or 2; a newer release has written it)"));
            }
            pump();
        } else {
            shard.answeredLate();
        }
    }

    /** The script could not make sense of a key: Redis is well, so the others are asked for again, each alone. */
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

    /** Keys of the slot are on their way to another server, some here and some there; nothing was done. */
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

    /** A key was written under another version of a limiter's terms; nothing was done. */
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
                    // It may meet another key of yet another version: only its deadline ends that.
                    batch.calls().forEach(call -> call.repeated = false);
                }
                repeat(batch.calls(), System.nanoTime());
                pump();
            }
        });
    }

    /** Sends calls again, of which it is known that nothing was done. */
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

    /** Gives up what is late. Says whether anything is still on its way. */
    boolean sweep(long now) {
        Link link = lanes.connection.link();
        boolean unsent = link == null || !link.isOpen();
        inFlight.forEach((batch, shard) -> {
            batch.failLate(now, lanes.stalls);
            if (lanes.stalls.isLate(now, batch.deadline)) {
                // What is answered after all says what has to be given back. Only what may not have been sent, and does
                // not say until when it holds, must not go any more.
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

    /** The connection is gone: nobody will answer what was sent, and it must not be sent again. */
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
