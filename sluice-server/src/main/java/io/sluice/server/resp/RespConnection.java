package io.sluice.server.resp;

import io.sluice.server.resp.RespLimits.Reason;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * All commands of a read are run and their replies sent in one write. While a reply is still to come (from Redis), those
 * behind it queue up, so that they leave in the order in which they were asked for.
 *
 * A client may say nothing for as long as it likes: clients keep connections in pools. But what it has begun it has to end in
 * time, and what it asked for it has to read; while it does not, nothing more of it is read either. A client that has yet to show
 * the password has little of all that.
 */
/** A client. All of it happens on the event loop, {@link #turn} aside. */
final class RespConnection {
    /** Replies are sent as soon as they are that many bytes, though more are asked for. */
    private static final int SEND = 16 * 1024;

    /** So many replies may be still to come before no more is run: more would not be faster, only later. */
    private static final int MOST_WAITING = 256;

    /** So many bytes of commands and replies may wait before no more is run. */
    private static final int MOST_WAITING_BYTES = 64 * 1024;

    /** Commands that are answered before the password is shown. */
    private static final int MOST_UNAUTHENTICATED = 64;

    private final RespConnections all;
    private final NetSocket socket;
    private final Output output;
    private final ArrayDeque<Later> waiting = new ArrayDeque<>(0);
    private final AtomicBoolean turnComes = new AtomicBoolean();

    /** Who it is, and what it said of itself. */
    final Client client;

    /** What was not run yet: the beginning of a command, or more than replies could be sent for. */
    private @Nullable CommandReader rest;

    private long waitingBytes;
    private int running;
    private boolean stalled;
    private boolean alone;
    private boolean sending;
    private boolean ending;
    private boolean closed;

    /** Commands since the password was asked for; 0 if it was shown. */
    private int unauthenticated;

    private long unauthenticatedSince;
    private long restSince;
    private long unsentSince;
    private long taken;
    private long kept;

    RespConnection(RespConnections all, NetSocket socket, Client client) {
        this.all = all;
        this.socket = socket;
        this.client = client;
        this.output = new Output(socket, this::drained);
        unauthenticated = client.isAuthenticated() ? 0 : 1;
        unauthenticatedSince = all.now();
        unsentSince = all.now();
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
        try {
            while (!stalled && !ending && in.next(all.bounds(client))) {
                any = true;
                runOne(in, out);
            }
        } catch (ProtocolException e) {
            refuse("ERR Protocol error: " + e.why(), out);
        }
        if (ending || in.isDone()) {
            rest = null;
        } else {
            if (any || rest == null) {
                restSince = all.now();
            }
            keep(in, out);
        }
        answer(out);
    }

    private void runOne(CommandReader in, Replies out) {
        int before = out.size();
        running = in.length();
        all.commands.run(this, in.arguments(), out);
        if (!waiting.isEmpty() && out.size() > before) {
            add(new Later(this, out.cut(before)));
        }
        if (client.isAuthenticated()) {
            unauthenticated = 0;
        } else if (unauthenticated++ == 0) {
            unauthenticatedSince = all.now();
        } else if (unauthenticated > MOST_UNAUTHENTICATED) {
            refuse("NOAUTH more than " + MOST_UNAUTHENTICATED + " commands (expected: AUTH)", out);
        }
        if (waiting.size() >= MOST_WAITING || waitingBytes >= MOST_WAITING_BYTES || alone) {
            stall();
        }
        if (out.size() >= SEND) {
            send(out);
        }
    }

    private void keep(CommandReader in, Replies out) {
        CommandReader kept = in == all.reader ? in.rest() : in;
        // Half a command, or what came behind a wrong password.
        int most = 2 * all.bounds(client).bytes();
        if (!client.isAuthenticated() && kept.memory() > most) {
            rest = null;
            refuse("ERR Protocol error: unauthenticated: more than " + most + " bytes", out);
        } else {
            rest = kept;
        }
    }

    private void refuse(String error, Replies out) {
        int before = out.size();
        out.error(error);
        if (!waiting.isEmpty()) {
            add(new Later(this, out.cut(before)));
        }
        ending = true;
    }

    /** Takes the place of a reply that comes later. */
    Later later() {
        Later later = new Later(this, running);
        add(later);
        return later;
    }

    /** Takes the place of a reply that comes later; until then nothing else is run. */
    Later alone() {
        alone = true;
        return later();
    }

    private void add(Later later) {
        waiting.add(later);
        waitingBytes += later.weight();
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
            answer();
        }
    }

    /** A reply came that others may wait for. From any thread. */
    void turn() {
        if (turnComes.compareAndSet(false, true)) {
            all.context.runOnContext(unused -> {
                turnComes.set(false);
                answer();
            });
        }
    }

    /** The client has taken what it was sent. */
    private void drained() {
        if (!sending && (stalled || !waiting.isEmpty())) {
            answer();
        }
    }

    private void answer() {
        if (!closed) {
            Replies out = all.replies;
            out.protocol(client.protocol());
            answer(out);
        }
    }

    /** Sends what is there and what came, up to the first reply that is still to come, or that the client does not take. */
    private void answer(Replies out) {
        for (Later first = waiting.peek(); first != null && !output.isFull(); first = waiting.peek()) {
            Consumer<Replies> reply = first.reply();
            if (reply == null) {
                break;
            }
            waiting.remove();
            waitingBytes -= first.weight();
            reply.accept(out);
            if (out.size() >= SEND) {
                send(out);
            }
        }
        if (out.size() > 0) {
            send(out);
        }
        if (ending && waiting.isEmpty()) {
            socket.end();
        } else {
            resumeIfFree();
        }
        account();
    }

    private void send(Replies out) {
        sending = true;
        output.send(out);
        sending = false;
        if (output.isFull()) {
            stall();
        }
    }

    private void stall() {
        if (!stalled) {
            stalled = true;
            output.reads(false);
        }
    }

    private void resumeIfFree() {
        if (!stalled || ending || output.isFull() || !hasRoom()) {
            return;
        }
        stalled = false;
        alone = false;
        restSince = all.now();
        CommandReader in = rest;
        if (in != null) {
            run(in);
        }
        if (!stalled) {
            output.reads(true);
        }
    }

    private boolean hasRoom() {
        return alone ? waiting.isEmpty() : waiting.size() <= MOST_WAITING / 2 && waitingBytes <= MOST_WAITING_BYTES / 2;
    }

    /** Counts the bytes that are kept for it. */
    void account() {
        CommandReader in = rest;
        long keeps = closed ? 0 : output.unsent() + waitingBytes + (in == null ? 0 : in.memory());
        if (keeps != kept) {
            long more = keeps - kept;
            kept = keeps;
            all.kept(more);
        }
    }

    /** The more it keeps, and the longer, the sooner it has to go. */
    long weight() {
        long unsent = output.unsent() == 0 ? 0 : all.now() - unsentSince;
        long unread = rest == null ? 0 : all.now() - restSince;
        return kept * (1 + Math.max(unsent, unread));
    }

    /** Whether it has taken too long for anything. */
    void look() {
        account();
        if (output.unsent() == 0 || output.taken() != taken) {
            taken = output.taken();
            unsentSince = all.now();
        }
        if (isLate(unsentSince)) {
            abort(Reason.UNREAD);
        } else if (ending) {
            return;
        } else if (!client.isAuthenticated() && all.now() - unauthenticatedSince > all.authTimeout) {
            refuse(Reason.UNAUTHENTICATED, "NOAUTH no AUTH within " + all.limits.authTimeout.toMillis() + " ms");
        } else if (rest != null && !stalled && waiting.isEmpty() && isLate(restSince)) {
            refuse(
                    Reason.INCOMPLETE,
                    "ERR Protocol error: command not completed within " + all.limits.patience.toMillis() + " ms");
        }
    }

    private boolean isLate(long since) {
        return all.now() - since > all.patience;
    }

    private void refuse(Reason reason, String error) {
        all.limits.closed(reason, client);
        rest = null;
        Replies out = all.replies;
        out.protocol(client.protocol());
        refuse(error, out);
        answer(out);
    }

    /** Closes it though not all was sent. */
    void abort(Reason reason) {
        if (!closed) {
            all.limits.closed(reason, client);
            output.abort();
            closed();
        }
    }

    /** Nothing is kept for it any more. */
    void closed() {
        closed = true;
        ending = true;
        rest = null;
        account();
    }
}
