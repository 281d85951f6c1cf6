package io.sluice.server.resp;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The place of a reply that is still to come, among those of its connection. */
final class Later {
    private final RespConnection connection;
    private final int weight;
    private volatile @Nullable Consumer<Replies> reply;

    /** @param weight bytes of the command, which is kept until then */
    Later(RespConnection connection, int weight) {
        this.connection = connection;
        this.weight = weight;
    }

    /** One that is known already, but has to wait for its turn. */
    Later(RespConnection connection, byte[] known) {
        this(connection, known.length);
        reply = out -> out.raw(known);
    }

    /** Bytes that are kept for it. */
    int weight() {
        return weight;
    }

    /** Now it is known. From any thread. */
    void is(Consumer<Replies> reply) {
        this.reply = reply;
        connection.turn();
    }

    @Nullable
    Consumer<Replies> reply() {
        return reply;
    }
}
