package io.sluice.spring.client;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The answer of an API, as far as it asks its callers to pause.
 *
 * @param nowMicros the wall clock, in microseconds since the Unix epoch
 */
record Answer(int status, HttpHeaders headers, long nowMicros) {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    /** A number above it is a time since the Unix epoch; as a number of seconds to wait it would be more than 30 years. */
    private static final long EPOCH = 1_000_000_000;

    private static final long MICROS = 1_000_000;

    /**
     * For how long the API wants no more requests, in seconds. 0 if it does not ask for a pause. Headers that cannot be read are
     * ignored.
     */
    long pauseSeconds() {
        Long seconds = null;
        if (status == TOO_MANY_REQUESTS) {
            seconds = firstOf(
                    retryAfter(),
                    RateLimitField.exhaustedFor(all("RateLimit")),
                    reset("RateLimit-"),
                    reset("X-RateLimit-"));
        } else if (status == UNAVAILABLE) {
            seconds = retryAfter();
        } else if (status >= 200 && status < 300) {
            seconds = RateLimitField.exhaustedFor(all("RateLimit"));
        }
        return seconds == null ? 0 : seconds;
    }

    private static @Nullable Long firstOf(@Nullable Long... values) {
        for (Long value : values) {
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private @Nullable Long retryAfter() {
        Long seconds = Digits.parse(headers.getFirst(HttpHeaders.RETRY_AFTER));
        if (seconds != null) {
            return seconds;
        }
        Long until = date(HttpHeaders.RETRY_AFTER);
        if (until == null) {
            return null;
        }
        // By the clock of the API, if it tells its time.
        Long sent = date(HttpHeaders.DATE);
        return Math.max(0, until - (sent == null ? nowMicros / MICROS : sent));
    }

    /** The seconds since the Unix epoch; null if the header is not a date. */
    private @Nullable Long date(String name) {
        try {
            long millis = headers.getFirstDate(name);
            return millis < 0 ? null : millis / 1000;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Seconds to wait, or a time since the Unix epoch, if nothing remains. */
    private @Nullable Long reset(String prefix) {
        Long remaining = Digits.parse(headers.getFirst(prefix + "Remaining"));
        boolean used = remaining == null ? prefix.equals("RateLimit-") : remaining == 0;
        Long reset = used ? Digits.parse(headers.getFirst(prefix + "Reset")) : null;
        if (reset == null || reset <= EPOCH) {
            return reset;
        }
        return Math.max(0, reset - nowMicros / MICROS);
    }

    /*
     * HttpHeaders.get has another signature in Spring 7, so code that is compiled for Spring 6 cannot call it there.
     */
    private List<String> all(String name) {
        if (headers.getFirst(name) != null) {
            for (Map.Entry<String, List<String>> header : headers.headerSet()) {
                if (header.getKey().equalsIgnoreCase(name)) {
                    return header.getValue();
                }
            }
        }
        return List.of();
    }
}
