package io.sluice.redis.limits;

import io.sluice.Limit;
import java.util.List;

/**
 * One version of the limits of a limiter: those in force, or earlier ones.
 *
 * @param number counts the changes of the limiter's limits, from 1
 * @param since when they came into force, in microseconds of the clock of Redis
 * @param revision orders limits from several sources: a lower revision never replaces a higher one
 */
public record LimitsVersion(int number, long since, long revision, List<Limit> limits) {}
