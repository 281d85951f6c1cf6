package io.sluice.server.resp;

import io.sluice.policy.PolicyReservation;
import io.sluice.policy.ReservationTtl;
import io.sluice.server.decide.RequestDecider;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * {@code SLUICE.RESERVE permits [ttl] attribute value …}: decides a request by an estimate of its cost. The reply is that of {@code
 * SLUICE.CHECK}; if it was allowed, the fourth element names the reservation.
 */
final class ReserveCommand implements Command {
    private final RequestDecider decider;

    ReserveCommand(RequestDecider decider) {
        this.decider = decider;
    }

    @Override
    public void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (!in.isNumber(1) || in.number(1) < 0) {
            throw new CommandException("ERR permits: " + in.display(1) + " (expected: a whole number, at least 0)");
        }
        // Attributes are pairs, so an argument more is the ttl.
        boolean hasTtl = in.count() % 2 != 0;
        Duration ttl = hasTtl ? ReservationTtl.parse(in.text(2)) : PolicyReservation.DEFAULT_TTL;
        if (ttl == null) {
            throw new CommandException("ERR ttl: " + in.display(2) + " (expected: " + ReservationTtl.EXPECTED
                    + ", before attributes and values in pairs)");
        }
        Future<PolicyReservation> reserved =
                decider.reserve(CheckCommand.attributes(in, hasTtl ? 3 : 2), in.number(1), ttl);
        if (reserved.isComplete()) {
            answer(reserved, out);
        } else {
            PendingReply reply = connection.replyLater();
            reserved.onComplete(unused -> reply.complete(replies -> answer(reserved, replies)));
        }
    }

    private static void answer(Future<PolicyReservation> reserved, ReplyWriter out) {
        if (reserved.failed()) {
            out.error("ERR " + reserved.cause().getMessage());
            return;
        }
        PolicyReservation reservation = reserved.result();
        CheckCommand.answer(
                reservation.decision(),
                reservation
                        .text()
                        .map(List::of)
                        .orElseGet(() -> reservation.decision().violated()),
                out);
    }
}
