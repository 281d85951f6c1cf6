package io.sluice.spring.web;

import io.sluice.TimeSource;
import io.sluice.policy.Adapt;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.web.RequestScope.End;
import io.sluice.spring.web.RequestScope.Ending;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.util.DisconnectedClientHelper;

/** Reports the latency and the failures of requests to the policies that follow these signals. Thread-safe. */
final class FinishedRequests {
    private static final String SECURITY = "org.springframework.security.";
    private static final int SERVER_ERROR = 500;
    private static final int DENIED = 429;

    /** Whether a version of the policies follows what is reported here. */
    private record Followed(Policies in, boolean followed) {}

    private final PolicyEngine engine;
    private final TimeSource time;
    private volatile @Nullable Followed last;

    FinishedRequests(PolicyEngine engine, TimeSource time) {
        this.engine = engine;
        this.time = time;
    }

    /** Reports the request when its response is done. Its time begins now, after the delay of its decision. */
    void watch(RequestScope scope) {
        if (isFollowed()) {
            long begin = time.micros() + scope.decision().delayMicros();
            scope.onEnd(end -> report(begin, end));
        }
    }

    @SuppressWarnings("ReferenceEquality") // Another object means a new version of the policies.
    private boolean isFollowed() {
        Policies policies = engine.policies();
        Followed known = last;
        if (known == null || known.in() != policies) {
            known = new Followed(
                    policies,
                    policies.policies().stream()
                            .anyMatch(policy -> policy.adapt() != null && isReported(policy.adapt())));
            last = known;
        }
        return known.followed();
    }

    private static boolean isReported(Adapt adapt) {
        return adapt.signal().equals(Adapt.LATENCY) || adapt.signal().equals(Adapt.ERRORS);
    }

    private void report(long begin, End end) {
        long latency = time.micros() - begin;
        int status = status(end);
        // A request that went away before its turn has not been answered.
        if (latency >= 0 && status != DENIED) {
            boolean isFailure = end.ending() == Ending.TIMED_OUT || status >= SERVER_ERROR;
            engine.finished(Duration.of(latency, ChronoUnit.MICROS), isFailure);
        }
    }

    /** The status that the client gets. An exception that leaves the filter gets its status later. */
    private static int status(End end) {
        Throwable failure = end.failure();
        if (end.ending() != Ending.FAILED
                || (failure != null && DisconnectedClientHelper.isClientDisconnectedException(failure))) {
            return end.status();
        }
        if (failure instanceof ErrorResponse response) {
            return response.getStatusCode().value();
        }
        if (failure != null) {
            MergedAnnotation<ResponseStatus> annotated =
                    MergedAnnotations.from(failure.getClass()).get(ResponseStatus.class);
            if (annotated.isPresent()) {
                return annotated.getEnum("code", HttpStatus.class).value();
            }
            if (DenialOf.failure(failure) != null) {
                return DENIED;
            }
            if (isOfSecurity(failure.getClass())) {
                return HttpStatus.FORBIDDEN.value();
            }
        }
        return Math.max(SERVER_ERROR, end.status());
    }

    /** Refused by Spring Security, whose filter stands before. By the name, because an application need not have it. */
    private static boolean isOfSecurity(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().startsWith(SECURITY)) {
                return true;
            }
        }
        return false;
    }
}
