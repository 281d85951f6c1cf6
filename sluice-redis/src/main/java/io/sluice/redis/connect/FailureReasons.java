package io.sluice.redis.connect;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Finds the reason of a failure, in words for the log. */
public final class FailureReasons {
    private static final int LONGEST = 300;
    private static final int MOST = 5;

    private FailureReasons() {}

    /** The messages of a failure and its causes: the client says that a connection was refused, the cause says why. */
    public static String of(Throwable failure) {
        Set<String> reasons = new LinkedHashSet<>();
        for (Throwable cause : chain(failure)) {
            if (!(cause instanceof CompletionException) && !(cause instanceof ExecutionException)) {
                String message = cause.getMessage();
                reasons.add(message == null ? cause.getClass().getSimpleName() : message);
            }
        }
        String all = String.join(": ", reasons);
        return all.length() > LONGEST ? all.substring(0, LONGEST) + " ..." : all;
    }

    /**
     * Whether a failure contains the true reason: Redis has refused something, did not answer in time, or the socket
     * failed. If the connection ends during the login, the client may only say that the connection has ended.
     */
    static boolean isClear(Throwable failure) {
        return isSilence(failure)
                || chain(failure).stream()
                        .anyMatch(cause -> cause instanceof RedisCommandExecutionException
                                || (cause instanceof IOException && !(cause instanceof ClosedChannelException)));
    }

    /** Whether Redis has accepted the connection but did not answer in time. */
    static boolean isSilence(Throwable failure) {
        return chain(failure).stream()
                .anyMatch(cause -> cause instanceof RedisCommandTimeoutException || cause instanceof TimeoutException);
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable cause = failure; cause != null && chain.size() < MOST; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }
}
