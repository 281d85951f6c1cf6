package io.sluice.policy.envoy;

import java.time.Duration;

/** A unit of time of envoyproxy/ratelimit. Each has a fixed length: a month has 30 days, a year 365. */
public enum EnvoyUnit {
    SECOND(Duration.ofSeconds(1)),
    MINUTE(Duration.ofMinutes(1)),
    HOUR(Duration.ofHours(1)),
    DAY(Duration.ofDays(1)),
    WEEK(Duration.ofDays(7)),
    MONTH(Duration.ofDays(30)),
    YEAR(Duration.ofDays(365));

    private final Duration duration;

    EnvoyUnit(Duration duration) {
        this.duration = duration;
    }

    public Duration duration() {
        return duration;
    }
}
