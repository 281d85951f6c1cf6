package io.sluice.server.resp;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * All commands of a read are run and their replies sent in one write. While a reply is still to come (from Redis), those
 * behind it queue up, so that they leave in the order in which they were asked for.
 *
 * A client may say nothing for as long as it likes: clients keep connections in pools. But what it has begun it has to end in
 * time, and what it asked for it has to read; while it does not, nothing more of it is read either.
 */
/** A client. All of it happens on the event loop, {@link #turn} aside. */
final class RespConnection {
    /** Replies are sent as soon as they are that many bytes, though more are asked for. */
    private static final int SEND = 64 * 1024;

    /** So many replies may be still to come before no more is run: more would not be faster, only later. */
    private static final int MOST_WAITING = 256;

    private final RespConnections all;
    private final NetSocket socket;
    private final ArrayDeque<Later> waiting = new ArrayDeque<>(0);
    private final AtomicBoolean turnComes = new AtomicBoolean();

    /** Who it is, and what it said of itself. */
    final Client client;

    /** What was not run yet: the beginning of a command, or more than replies could be sent for. */
    private @Nullable CommandReader rest;

    private boolean stalled;
    private boolean ending;
    private boolean watched;
    private long since;

    RespConnection(RespConnections all, NetSocket socket, Client client) {
        this.all = all;
        this.socket = socket;
        this.client = client;
    }

    void read(Buffer buffer) {
        if (ending) {
            return;
        }
        CommandReader in = rest;
        if (in == null) {
            in = all.reader;
            in.load(buffer);
        } else {
            in.append(buffer);
        }
        run(in);
    }

    private void run(CommandReader in) {
        Replies out = all.replies;
        out.protocol(client.protocol());
        boolean any = false;
        boolean more = true;
        try {
            while (more && in.next()) {
                any = true;
                int before = out.size();
                all.commands.run(this, in.arguments(), out);
                if (!waiting.isEmpty() && out.size() > before) {
                    waiting.add(new Later(this, out.cut(before)));
                }
                if (waiting.size() >= MOST_WAITING) {
                    stall();
                } else if (out.size() >= SEND) {
                    send(out);
                }
                more = !stalled && !ending;
            }
        } catch (ProtocolException e) {
            refuse(e.why(), out);
        }
        boolean done = ending || in.isDone();
        if (done) {
            rest = null;
        } else if (in == all.reader) {
            rest = in.rest();
        }
        answer(out);
        if (!done && (any || !watched)) {
            watch();
        }
    }

    private void refuse(String why, Replies out) {
        int before = out.size();
        out.error("ERR Protocol error: " + why);
        if (!waiting.isEmpty()) {
            waiting.add(new Later(this, out.cut(before)));
        }
        ending = true;
    }

    /** Takes the place of a reply that comes later. */
    Later later() {
        Later later = new Later(this);
        waiting.add(later);
        return later;
    }

    /** No more is read; what was asked for is still answered. */
    void end() {
        ending = true;
    }

    /** The server stops: what was asked for is answered, and then it is closed; at once if there is nothing. */
    void stop() {
        if (!ending) {
            ending = true;
            rest = null;
            Replies out = all.replies;
            out.protocol(client.protocol());
            answer(out);
        }
    }

    /** A reply came that others may wait for. From any thread. */
    void turn() {
        if (turnComes.compareAndSet(false, true)) {
            all.context.runOnContext(unused -> {
                Replies out = all.replies;
                out.protocol(client.protocol());
                turnComes.set(false);
                answer(out);
            });
        }
    }

    /** Sends what is there and what came, up to the first reply that is still to come. */
    private void answer(Replies out) {
        for (Later first = waiting.peek(); first != null; first = waiting.peek()) {
            Consumer<Replies> reply = first.reply();
            if (reply == null) {
                break;
            }
            waiting.remove();
            reply.accept(out);
        }
        if (out.size() > 0) {
            send(out);
        }
        if (ending && waiting.isEmpty()) {
            boolean read = !socket.writeQueueFull();
            socket.end();
            if (!read) {
                all.after(all.patienceNanos, this::abort);
            }
        } else {
            resumeIfFree();
        }
    }

    private void resumeIfFree() {
        if (stalled && waiting.size() <= MOST_WAITING / 2 && !socket.writeQueueFull()) {
            resume();
        }
    }

    private void send(Replies out) {
        socket.write(out.take());
        if (socket.writeQueueFull()) {
            stall();
            socket.drainHandler(unused -> resumeIfFree());
        }
    }

    private void stall() {
        if (!stalled) {
            stalled = true;
            socket.pause();
            watch();
        }
    }

    private void resume() {
        stalled = false;
        CommandReader in = rest;
        if (in != null && !ending) {
            run(in);
        }
        if (!stalled) {
            socket.resume();
        }
    }

    /** From now on it has a while to end what it began, or to read what it was answered. */
    private void watch() {
        since = System.nanoTime();
        if (!watched) {
            watched = true;
            all.after(all.patienceNanos, this::look);
        }
    }

    private void look() {
        watched = false;
        if (ending || (rest == null && !stalled)) {
            return;
        }
        long left = all.patienceNanos - (System.nanoTime() - since);
        if (left > 0) {
            watched = true;
            all.after(left, this::look);
        } else if (!waiting.isEmpty()) {
            watch(); // it is not the client who is slow
        } else if (stalled) {
            abort();
        } else {
            Replies out = all.replies;
            refuse("command not completed within " + TimeUnit.NANOSECONDS.toMillis(all.patienceNanos) + " ms", out);
            answer(out);
        }
    }

    /** Closes it though not all was sent: a close of the socket's own would wait for that. */
    private void abort() {
        ((NetSocketInternal) socket).channelHandlerContext().close();
    }
}
