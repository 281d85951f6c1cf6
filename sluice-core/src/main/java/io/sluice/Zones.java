package io.sluice;

import io.sluice.exact.Spelling;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The time zones that a limit may name: those of the IANA database that the JDK knows. */
final class Zones {
    static final ZoneId UTC = ZoneId.of("UTC");

    /** No name of a zone is so long. A longer text is not compared with the names, which takes time. */
    private static final int LONGEST_NAME = 64;

    private static final Set<String> NAMES = new TreeSet<>(ZoneId.getAvailableZoneIds());

    /** The zones to suggest. Those that are left out are in some JDKs only: the database has given them up. */
    private static final List<String> SUGGESTED =
            NAMES.stream().filter(name -> !name.startsWith("SystemV/")).toList();

    /** An offset as people write it. The names of the database have the other sign: {@code Etc/GMT-8} is ahead of UTC. */
    private static final Pattern OFFSET =
            Pattern.compile("(?:UTC|GMT)?([+-])0?(\\d{1,2})(?::?([0-5]\\d))?", Pattern.CASE_INSENSITIVE);

    /** When a zone whose offset is asked for must have it: far after the last change of its clocks that is known. */
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    private Zones() {}

    /** @throws IllegalArgumentException if there is no such zone; it names the nearest */
    static ZoneId of(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("zone: \"" + name + "\" (expected: a zone of the IANA database"
                    + (name.length() > LONGEST_NAME
                            ? ", such as Europe/Berlin)"
                            : "; the nearest is " + nearest(name) + ")"));
        }
        return ZoneId.of(name);
    }

    /** The zone by its name, so that equal limits have equal texts. */
    static ZoneId normalized(ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? UTC : of(zone.getId());
    }

    private static String nearest(String typed) {
        // An abbreviation, such as PST. For some, the JDK knows only an offset.
        String meant = ZoneId.SHORT_IDS.getOrDefault(typed.toUpperCase(Locale.ROOT), typed);
        if (NAMES.contains(meant)) {
            return meant;
        } else if (meant.equalsIgnoreCase("Z")) {
            return UTC.getId();
        }
        Matcher offset = OFFSET.matcher(meant);
        String ofOffset = offset.matches() ? ofOffset(offset) : null;
        return ofOffset == null ? spelledLike(typed) : ofOffset;
    }

    private static String spelledLike(String typed) {
        String wanted = typed.toLowerCase(Locale.ROOT).replace(' ', '_');
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String name : SUGGESTED) {
            String lower = name.toLowerCase(Locale.ROOT);
            // People often write the city alone.
            String compared = wanted.indexOf('/') < 0 ? lower.substring(lower.lastIndexOf('/') + 1) : lower;
            int distance = Spelling.distance(wanted, compared);
            if (distance < least || (distance == least && name.length() < nearest.length())) {
                least = distance;
                nearest = name;
            }
        }
        return nearest;
    }

    /** The zone of an offset in whole hours, or a zone whose clocks always have the offset. Null if there is none. */
    private static @Nullable String ofOffset(Matcher offset) {
        boolean ahead = offset.group(1).equals("+");
        String hours = offset.group(2);
        String minutes = Objects.requireNonNullElse(offset.group(3), "00");
        if (minutes.equals("00")) {
            String name = "Etc/GMT" + (ahead ? "-" : "+") + hours;
            return NAMES.contains(name) ? name + ", whose sign is the other way round" : null;
        }
        int seconds = 3600 * Integer.parseInt(hours) + 60 * Integer.parseInt(minutes);
        return SUGGESTED.stream()
                .filter(name -> hasAlways(ZoneId.of(name).getRules(), ahead ? seconds : -seconds))
                .min(Comparator.comparingInt(String::length))
                .orElse(null);
    }

    private static boolean hasAlways(ZoneRules rules, int seconds) {
        return rules.getTransitionRules().isEmpty() && rules.getOffset(FAR).getTotalSeconds() == seconds;
    }
}
