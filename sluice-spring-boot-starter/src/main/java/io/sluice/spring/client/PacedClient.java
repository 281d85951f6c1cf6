package io.sluice.spring.client;

import io.sluice.TimeSource;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.SluiceProperties;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** One client of the settings. Thread-safe. */
final class PacedClient {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");

    private final String name;
    private final @Nullable UrlPattern url;
    private final Pacing pacing;
    private final boolean honourRetryAfter;
    private final long maxPauseSeconds;
    private final Duration maxPause;
    private final DecisionObserver observer;
    private final TimeSource time;

    PacedClient(
            String name,
            @Nullable UrlPattern url,
            Pacing pacing,
            SluiceProperties.Client settings,
            DecisionObserver observer,
            TimeSource time) {
        this.name = name;
        this.url = url;
        this.pacing = pacing;
        this.honourRetryAfter = settings.honourRetryAfter();
        this.maxPause = settings.maxPause();
        this.maxPauseSeconds = settings.maxPause().toSeconds();
        this.observer = observer;
        this.time = time;
    }

    /** The name in the settings. */
    String name() {
        return name;
    }

    /** Whether the client is meant for requests by their URL, and not only for HTTP clients that are created for its name. */
    boolean hasUrl() {
        return url != null;
    }

    /** Whether a request is to be paced. */
    boolean paces(URI request) {
        return url == null || url.matches(request);
    }

    /** Begins to wait for the permit of a request, see {@link Pacing#acquire}. */
    Turn turn(OutgoingRequest request) {
        return new Turn(
                observer.observeWait("client", () -> pacing.acquire(request), taken -> null)
                        .toCompletableFuture(),
                () -> pacing.giveBack(request));
    }

    /**
     * Pauses all callers if the answer asks for it. The future is complete when the store knows it, and never fails: a pause that
     * is lost must not lose the answer.
     */
    CompletableFuture<Void> answered(OutgoingRequest request, int status, HttpHeaders headers) {
        long seconds = honourRetryAfter ? new Answer(status, headers, time.wallMicros()).pauseSeconds() : 0;
        if (seconds == 0) {
            return CompletableFuture.completedFuture(null);
        }
        Duration pause = seconds > maxPauseSeconds ? maxPause : Duration.ofSeconds(seconds);
        if (LOG.isDebugEnabled()) {
            LOG.debug("sluice.clients." + name + ": " + request.host() + " answered " + status + ", pause of " + pause);
        }
        return pacing.pause(request, pause).exceptionally(failure -> {
            LOG.warn("sluice.clients." + name + ": a pause of " + pause + " is lost", failure);
            return null;
        });
    }
}
