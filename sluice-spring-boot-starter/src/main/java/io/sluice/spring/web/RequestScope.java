package io.sluice.spring.web;

import io.sluice.policy.PolicyDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A request, from its decision by a filter until its response is done. Both filters keep it as the attribute {@value #ATTRIBUTE} of the
 * request. Thread-safe.
 */
public final class RequestScope {
    /** The attribute of a servlet request or a server exchange that has the scope. */
    public static final String ATTRIBUTE = "io.sluice.spring.web.RequestScope";

    private static final Log LOG = LogFactory.getLog("io.sluice.spring");

    /** How a request ended. */
    public enum Ending {
        /** The response is complete. */
        COMPLETED,
        /** The handler failed, or the connection did. */
        FAILED,
        /** The client did not wait for the response. */
        CANCELLED,
        /** The handler did not answer in time. */
        TIMED_OUT;

        /** The ending by a failure. Frameworks wrap the exception of a timeout. */
        public static Ending of(Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof TimeoutException) {
                    return TIMED_OUT;
                }
            }
            return FAILED;
        }
    }

    /**
     * The end of a request.
     *
     * @param status the status of the response; 0 if it has none
     * @param failure why the request failed, if that is known
     */
    public record End(Ending ending, int status, @Nullable Throwable failure) {}

    private final Map<String, String> attributes;
    private final @Nullable PolicyDecision decision;
    private final List<Consumer<End>> actions = new ArrayList<>();
    private @Nullable End end;

    /** @param attributes the attributes by which the request was decided; they can be looked up until its end */
    public RequestScope(Map<String, String> attributes, PolicyDecision decision) {
        this.attributes = attributes;
        this.decision = decision;
    }

    private RequestScope(Map<String, String> attributes) {
        this.attributes = attributes;
        this.decision = null;
    }

    /**
     * A request that no filter decides, because its path is excluded or {@code sluice.web.enabled} is false. Methods with {@code
     * @RateLimited} use its attributes.
     */
    public static RequestScope undecided(Map<String, String> attributes) {
        return new RequestScope(attributes);
    }

    /** The attributes by which the request was decided. They can be looked up by name, until the end of the request. */
    public Map<String, String> attributes() {
        return attributes;
    }

    /** Whether a filter has decided the request. */
    public boolean isDecided() {
        return decision != null;
    }

    /** The decision on the request, without results if it is not decided. */
    public PolicyDecision decision() {
        return decision == null ? PolicyDecision.of() : decision;
    }

    /** Runs an action once when the response is done, however it ends; at once if it is done already. */
    public void onEnd(Consumer<End> action) {
        End ended;
        synchronized (actions) {
            ended = end;
            if (ended == null) {
                actions.add(action);
            }
        }
        if (ended != null) {
            run(action, ended);
        }
    }

    /** The response is done. Only the first call has an effect. */
    public void end(End how) {
        List<Consumer<End>> waiting;
        synchronized (actions) {
            if (end != null) {
                return;
            }
            end = how;
            waiting = List.copyOf(actions);
            actions.clear();
        }
        waiting.forEach(action -> run(action, how));
    }

    private static void run(Consumer<End> action, End end) {
        try {
            action.accept(end);
        } catch (RuntimeException e) {
            LOG.warn("an action at the end of a request failed", e);
        }
    }
}
