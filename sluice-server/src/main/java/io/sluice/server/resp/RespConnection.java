package io.sluice.server.resp;

import io.sluice.server.resp.RespLimits.Reason;
import io.sluice.server.vertx.SocketOutput;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * All commands of one read are run, and their replies are sent in one write. While a reply is not known yet (it comes from Redis),
 * later replies queue behind it, so that replies are sent in the order of their commands.
 *
 * A client may be silent for as long as it likes, because clients keep connections in pools. But it must complete in time a
 * command that it has begun, and it must read its replies; until it does, nothing more is read from it. The bounds are lower for a
 * client without authentication.
 */
/** The connection of a RESP client. Used on its event loop only, except {@link #scheduleReplies}. */
final class RespConnection {
    /** Replies are sent as soon as they have this many bytes, even if more commands follow. */
    private static final int SEND_SIZE = 16 * 1024;

    /** No more commands are run while this many replies are pending. More would not be faster, only later. */
    private static final int MAX_PENDING = 256;

    /** No more commands are run while pending commands and replies have this many bytes. */
    private static final int MAX_PENDING_BYTES = 64 * 1024;

    /** The number of commands that a client may send before it authenticates. */
    private static final int MAX_UNAUTHENTICATED = 64;

    private final RespConnections all;
    private final NetSocket socket;
    private final SocketOutput output;
    private final ArrayDeque<PendingReply> pending = new ArrayDeque<>(0);
    private final AtomicBoolean scheduled = new AtomicBoolean();

    final ClientInfo client;

    /** The input that was not run yet: an incomplete command, or commands that wait because the connection is paused. */
    private @Nullable CommandReader unread;

    private long pendingBytes;
    /** The size of the running command. */
    private int commandBytes;
    /** Whether nothing is read and run, because replies cannot be sent or too many are pending. */
    private boolean paused;
    /** Whether the connection is paused until all pending replies are sent. */
    private boolean exclusive;

    private boolean sending;
    /** Whether the connection closes after its last reply. */
    private boolean finishing;

    private boolean closed;
    /** The number of commands without authentication; 0 if the client is authenticated. */
    private int unauthenticated;

    private long unauthenticatedSince;
    private long unreadSince;
    private long unsentSince;
    private long completedWrites;
    /** The bytes that are counted for this connection. */
    private long countedBytes;

    RespConnection(RespConnections all, NetSocket socket, ClientInfo client) {
        this.all = all;
        this.socket = socket;
        this.client = client;
        this.output = new SocketOutput(socket, this::onDrained);
        unauthenticated = client.isAuthenticated() ? 0 : 1;
        unauthenticatedSince = all.now();
        unsentSince = all.now();
    }

    /** Whether the client is gone. */
    boolean isClosed() {
        return closed;
    }

    void read(Buffer buffer) {
        if (finishing) {
            return;
        }
        CommandReader in = unread;
        if (in == null) {
            in = all.reader;
            in.load(buffer);
        } else {
            in.append(buffer);
        }
        run(in);
    }

    private void run(CommandReader in) {
        ReplyWriter out = all.replies;
        out.protocol(client.protocol());
        boolean any = false;
        try {
            while (!paused && !finishing && in.next(all.bounds(client))) {
                any = true;
                runOne(in, out);
            }
        } catch (ProtocolException e) {
            finishWithError("ERR Protocol error: " + e.reason(), out);
        }
        if (finishing || in.isDone()) {
            unread = null;
        } else {
            if (any || unread == null) {
                unreadSince = all.now();
            }
            keep(in, out);
        }
        sendReplies(out);
    }

    private void runOne(CommandReader in, ReplyWriter out) {
        int before = out.size();
        commandBytes = in.length();
        all.commands.run(this, in.arguments(), out);
        if (!pending.isEmpty() && out.size() > before) {
            add(new PendingReply(this, out.removeFrom(before)));
        }
        if (client.isAuthenticated()) {
            unauthenticated = 0;
        } else if (unauthenticated++ == 0) {
            unauthenticatedSince = all.now();
        } else if (unauthenticated > MAX_UNAUTHENTICATED) {
            finishWithError("NOAUTH more than " + MAX_UNAUTHENTICATED + " commands (expected: AUTH)", out);
        }
        if (pending.size() >= MAX_PENDING || pendingBytes >= MAX_PENDING_BYTES || exclusive) {
            pause();
        }
        if (out.size() >= SEND_SIZE) {
            send(out);
        }
    }

    private void keep(CommandReader in, ReplyWriter out) {
        CommandReader kept = in == all.reader ? in.split() : in;
        // An incomplete command, or commands behind a wrong password.
        int max = 2 * all.bounds(client).bytes();
        if (!client.isAuthenticated() && kept.memoryBytes() > max) {
            unread = null;
            finishWithError("ERR Protocol error: unauthenticated: more than " + max + " bytes", out);
        } else {
            unread = kept;
        }
    }

    private void finishWithError(String error, ReplyWriter out) {
        int before = out.size();
        out.error(error);
        if (!pending.isEmpty()) {
            add(new PendingReply(this, out.removeFrom(before)));
        }
        finishing = true;
    }

    /** Reserves the place of a reply that is not known yet. */
    PendingReply replyLater() {
        PendingReply reply = new PendingReply(this, commandBytes);
        add(reply);
        return reply;
    }

    /** Reserves the place of a reply that is not known yet. No other command runs until it is sent. */
    PendingReply replyLaterExclusively() {
        exclusive = true;
        return replyLater();
    }

    private void add(PendingReply reply) {
        pending.add(reply);
        pendingBytes += reply.bytes();
    }

    /** Reads no more commands, and closes the connection after the last reply. */
    void finish() {
        finishing = true;
    }

    /** Called when the server stops: as {@link #finish}, but closes at once if no reply is pending. */
    void shutdown() {
        if (!finishing) {
            finishing = true;
            unread = null;
            sendReplies();
        }
    }

    /** Sends the replies that are known, on the event loop. May be called from any thread. */
    void scheduleReplies() {
        if (scheduled.compareAndSet(false, true)) {
            all.context.runOnContext(unused -> {
                scheduled.set(false);
                sendReplies();
            });
        }
    }

    /** Called when the output is no longer full. */
    private void onDrained() {
        if (!sending && (paused || !pending.isEmpty())) {
            sendReplies();
        }
    }

    private void sendReplies() {
        if (!closed) {
            ReplyWriter out = all.replies;
            out.protocol(client.protocol());
            sendReplies(out);
        }
    }

    /** Sends replies in order, up to the first one that is not known yet or that the client does not take. */
    private void sendReplies(ReplyWriter out) {
        for (PendingReply first = pending.peek(); first != null && !output.isFull(); first = pending.peek()) {
            Consumer<ReplyWriter> reply = first.reply();
            if (reply == null) {
                break;
            }
            pending.remove();
            pendingBytes -= first.bytes();
            reply.accept(out);
            if (out.size() >= SEND_SIZE) {
                send(out);
            }
        }
        if (out.size() > 0) {
            send(out);
        }
        if (finishing && pending.isEmpty()) {
            socket.end();
        } else {
            resumeIfPossible();
        }
        countBytes();
    }

    private void send(ReplyWriter out) {
        sending = true;
        output.send(out.take(output.allocator()));
        sending = false;
        if (output.isFull()) {
            pause();
        }
    }

    private void pause() {
        if (!paused) {
            paused = true;
            output.setReading(false);
        }
    }

    private void resumeIfPossible() {
        if (!paused || finishing || output.isFull() || !hasRoom()) {
            return;
        }
        paused = false;
        exclusive = false;
        unreadSince = all.now();
        CommandReader in = unread;
        if (in != null) {
            run(in);
        }
        if (!paused) {
            output.setReading(true);
        }
    }

    private boolean hasRoom() {
        return exclusive
                ? pending.isEmpty()
                : pending.size() <= MAX_PENDING / 2 && pendingBytes <= MAX_PENDING_BYTES / 2;
    }

    /** Updates the count of bytes that are kept for this connection. */
    void countBytes() {
        CommandReader in = unread;
        long bytes = closed ? 0 : output.unsentBytes() + pendingBytes + (in == null ? 0 : in.memoryBytes());
        if (bytes != countedBytes) {
            long difference = bytes - countedBytes;
            countedBytes = bytes;
            all.addBytes(difference);
        }
    }

    /** The bytes that are kept for this connection, times how long they are kept. The largest is closed first. */
    long closePriority() {
        long unsentTime = output.unsentBytes() == 0 ? 0 : all.now() - unsentSince;
        long unreadTime = unread == null ? 0 : all.now() - unreadSince;
        return countedBytes * (1 + Math.max(unsentTime, unreadTime));
    }

    /** Closes the connection if the client took too long to read, to complete a command or to authenticate. */
    void checkTimeouts() {
        countBytes();
        if (output.unsentBytes() == 0 || output.completedWrites() != completedWrites) {
            completedWrites = output.completedWrites();
            unsentSince = all.now();
        }
        if (isLate(unsentSince)) {
            abort(Reason.UNREAD);
        } else if (finishing) {
            return;
        } else if (!client.isAuthenticated() && all.now() - unauthenticatedSince > all.authTimeout) {
            closeWithError(
                    Reason.UNAUTHENTICATED, "NOAUTH no AUTH within " + all.limits.authTimeout.toMillis() + " ms");
        } else if (unread != null && !paused && pending.isEmpty() && isLate(unreadSince)) {
            closeWithError(
                    Reason.INCOMPLETE,
                    "ERR Protocol error: command not completed within " + all.limits.timeout.toMillis() + " ms");
        }
    }

    private boolean isLate(long since) {
        return all.now() - since > all.timeout;
    }

    private void closeWithError(Reason reason, String error) {
        all.limits.countClosed(reason, client);
        unread = null;
        ReplyWriter out = all.replies;
        out.protocol(client.protocol());
        finishWithError(error, out);
        sendReplies(out);
    }

    /** Closes the connection at once; unsent replies are lost. */
    void abort(Reason reason) {
        if (!closed) {
            all.limits.countClosed(reason, client);
            output.abort();
            onClosed();
        }
    }

    /** Drops everything that is kept for the connection. */
    void onClosed() {
        closed = true;
        finishing = true;
        unread = null;
        countBytes();
    }
}
