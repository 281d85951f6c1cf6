package io.sluice.server.resp;

import io.sluice.HoldEndedException;
import io.sluice.ReservationEndedException;
import io.sluice.StoreUnavailableException;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.RequestDecider;
import io.vertx.core.Future;
import java.util.concurrent.CompletionException;

/** {@code SLUICE.SETTLE reservation permits}: replaces the estimate of a reservation by what was really used. */
final class SettleCommand implements Command {
    private final RequestDecider decider;

    SettleCommand(RequestDecider decider) {
        this.decider = decider;
    }

    @Override
    public void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (!in.isNumber(2) || in.number(2) < 0) {
            throw new CommandException("ERR permits: " + in.display(2) + " (expected: a whole number, at least 0)");
        }
        Future<PolicyDecision> settled = decider.settle(in.text(1), in.number(2));
        if (settled.isComplete()) {
            answer(settled, out);
        } else {
            PendingReply reply = connection.replyLater();
            settled.onComplete(unused -> reply.complete(replies -> answer(settled, replies)));
        }
    }

    private static void answer(Future<PolicyDecision> settled, ReplyWriter out) {
        if (settled.failed()) {
            out.error(error(settled.cause()));
            return;
        }
        CheckCommand.answer(settled.result(), settled.result().violated(), out);
    }

    /** The error reply to a request that could not change what an earlier request left. */
    static String error(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String code = cause instanceof ReservationEndedException || cause instanceof HoldEndedException
                ? "CONFLICT "
                : cause instanceof StoreUnavailableException ? "UNAVAILABLE " : "ERR ";
        return code + cause.getMessage();
    }
}
