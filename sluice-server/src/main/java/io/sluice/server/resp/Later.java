package io.sluice.server.resp;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The place of a reply that is still to come, among those of its connection. */
final class Later {
    private final RespConnection connection;
    private volatile @Nullable Consumer<Replies> reply;

    Later(RespConnection connection) {
        this.connection = connection;
    }

    /** One that is known already, but has to wait for its turn. */
    Later(RespConnection connection, byte[] known) {
        this(connection);
        reply = out -> out.raw(known);
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
