package io.sluice.server.resp;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A reply that is not known yet, or waits behind such a reply, in the order of its connection. */
final class PendingReply {
    private final RespConnection connection;
    private final int bytes;
    private volatile @Nullable Consumer<ReplyWriter> reply;

    /** @param bytes the size of the command, which is kept until the reply is known */
    PendingReply(RespConnection connection, int bytes) {
        this.connection = connection;
        this.bytes = bytes;
    }

    /** A reply that is known but must wait for earlier ones. */
    PendingReply(RespConnection connection, byte[] known) {
        this(connection, known.length);
        reply = out -> out.raw(known);
    }

    /** The number of bytes that are kept for this reply. */
    int bytes() {
        return bytes;
    }

    /** Sets the reply. May be called from any thread. */
    void complete(Consumer<ReplyWriter> reply) {
        this.reply = reply;
        connection.scheduleReplies();
    }

    /** Null if the reply is not known yet. */
    @Nullable
    Consumer<ReplyWriter> reply() {
        return reply;
    }
}
