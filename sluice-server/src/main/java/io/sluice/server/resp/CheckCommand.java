package io.sluice.server.resp;

import io.sluice.Decision;
import io.sluice.policy.EnteredRequest;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.Decide;
import io.sluice.server.decide.RequestBounds;
import io.sluice.server.decide.RequestDecider;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code SLUICE.CHECK permits attribute value …}: decides a request by the policies. {@code SLUICE.CHARGE}: charges it by force. If an
 * allowed request holds permits, the fourth element names them, for {@link HoldCommand}.
 */
final class CheckCommand implements Command {
    private final String name;
    private final Decide decide;
    private final RequestDecider decider;

    /**
     * @param name the name of the command, in lower case
     * @param decider releases what a client holds that is gone
     */
    CheckCommand(String name, Decide decide, RequestDecider decider) {
        this.name = name;
        this.decide = decide;
        this.decider = decider;
    }

    @Override
    public void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (in.count() % 2 != 0) {
            throw CommandException.arity(name);
        }
        if (!in.isNumber(1) || in.number(1) < 0) {
            throw new CommandException("ERR permits: " + in.display(1) + " (expected: a whole number, at least 0)");
        }
        Future<EnteredRequest> decided = decide.decide(attributes(in), in.number(1));
        if (decided.isComplete()) {
            answer(decided, out);
        } else {
            PendingReply reply = connection.replyLater();
            decided.onComplete(unused -> {
                if (connection.isClosed() && decided.succeeded()) {
                    decided.result().holds().ifPresent(decider::release);
                }
                reply.complete(replies -> answer(decided, replies));
            });
        }
    }

    private static Map<String, String> attributes(Arguments in) throws CommandException {
        return attributes(in, 2);
    }

    /** The attributes, from the argument with that index on. */
    static Map<String, String> attributes(Arguments in, int from) throws CommandException {
        int count = (in.count() - from) / 2;
        if (count > RequestBounds.ATTRIBUTES) {
            throw new CommandException(
                    "ERR " + count + " attributes (expected: at most " + RequestBounds.ATTRIBUTES + ")");
        }
        Map<String, String> attributes = new LinkedHashMap<>(2 * count);
        for (int i = from; i < in.count(); i += 2) {
            String name = attribute(in, i);
            if (attributes.put(name, attribute(in, i + 1)) != null) {
                throw new CommandException("ERR attribute " + name + ": said twice (expected: once)");
            }
        }
        return attributes;
    }

    private static String attribute(Arguments in, int i) throws CommandException {
        if (in.length(i) > RequestBounds.ATTRIBUTE) {
            throw new CommandException("ERR argument " + i + ": " + in.length(i) + " bytes (expected: at most "
                    + RequestBounds.ATTRIBUTE + ")");
        }
        return in.text(i);
    }

    private static void answer(Future<EnteredRequest> decided, ReplyWriter out) {
        if (decided.failed()) {
            out.error("ERR " + decided.cause().getMessage());
            return;
        }
        EnteredRequest entered = decided.result();
        answer(entered.decision(), entered.holds().map(List::of).orElseGet(entered.decision()::violated), out);
    }

    /** Writes a decision, and texts after it. */
    static void answer(PolicyDecision decision, List<String> more, ReplyWriter out) {
        out.array(3 + more.size());
        out.integer(decision.allowed() ? 1 : 0);
        out.integer(decision.retryAfterMicros() == Decision.NEVER ? -1 : decision.retryAfterMicros());
        out.integer(decision.delayMicros());
        more.forEach(out::bulk);
    }
}
