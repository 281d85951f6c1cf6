package io.sluice.server.resp;

import io.vertx.core.Future;
import java.util.function.Function;

/** {@code SLUICE.RELEASE holds} and {@code SLUICE.RENEW holds}: gives back what a request holds, or keeps it for longer. */
final class HoldCommand implements Command {
    private final Function<String, Future<Void>> change;

    HoldCommand(Function<String, Future<Void>> change) {
        this.change = change;
    }

    @Override
    public void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        Future<Void> changed = change.apply(in.text(1));
        if (changed.isComplete()) {
            answer(changed, out);
        } else {
            PendingReply reply = connection.replyLater();
            changed.onComplete(unused -> reply.complete(replies -> answer(changed, replies)));
        }
    }

    private static void answer(Future<Void> changed, ReplyWriter out) {
        if (changed.failed()) {
            out.error(SettleCommand.error(changed.cause()));
        } else {
            out.ok();
        }
    }
}
