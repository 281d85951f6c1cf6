package io.sluice.policy.yaml;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses durations in the syntax of limits: a whole number and a unit. */
final class DurationText {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,15})([a-z]{1,6})");

    /** In milliseconds. */
    private static final Map<String, Long> UNITS = Map.ofEntries(
            Map.entry("ms", 1L),
            Map.entry("s", 1_000L),
            Map.entry("sec", 1_000L),
            Map.entry("second", 1_000L),
            Map.entry("m", 60_000L),
            Map.entry("min", 60_000L),
            Map.entry("minute", 60_000L),
            Map.entry("h", 3_600_000L),
            Map.entry("hour", 3_600_000L),
            Map.entry("d", 86_400_000L),
            Map.entry("day", 86_400_000L));

    private DurationText() {}

    /** Parses a duration; null if the text is not a duration, or it is longer than {@code longest}. */
    static @Nullable Duration parse(String text, Duration longest) {
        Matcher matcher = DURATION.matcher(text);
        Long unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
        if (unit == null) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        return number <= longest.toMillis() / unit ? Duration.ofMillis(number * unit) : null;
    }
}
