package io.sluice.server.resp;

import io.sluice.Decision;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.Decide;
import io.sluice.server.decide.RequestBounds;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code SLUICE.CHECK permits attribute value …}: decides a request by the policies. {@code SLUICE.CHARGE}: charges it by force. */
final class CheckCommand implements Command {
    private final String name;
    private final Decide decider;

    /** @param name the name of the command, in lower case */
    CheckCommand(String name, Decide decider) {
        this.name = name;
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
        Future<PolicyDecision> decided = decider.decide(attributes(in), in.number(1));
        if (decided.isComplete()) {
            answer(decided, out);
        } else {
            PendingReply reply = connection.replyLater();
            decided.onComplete(unused -> reply.complete(replies -> answer(decided, replies)));
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

    private static void answer(Future<PolicyDecision> decided, ReplyWriter out) {
        if (decided.failed()) {
            out.error("ERR " + decided.cause().getMessage());
            return;
        }
        answer(decided.result(), decided.result().violated(), out);
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
