package io.sluice;

import io.sluice.exact.Spelling;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
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

    /** An offset as people write it. The names of the database have the other sign: {@code Etc/GMT-8} is ahead of UTC. */
    private static final Pattern OFFSET =
            Pattern.compile("(?:UTC|GMT)?([+-])0?(\\d{1,2})(?::?00)?", Pattern.CASE_INSENSITIVE);

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
        String ofOffset = ofOffset(typed);
        if (ofOffset != null) {
            return ofOffset;
        }
        String wanted = typed.toLowerCase(Locale.ROOT).replace(' ', '_');
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String name : NAMES) {
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

    private static @Nullable String ofOffset(String typed) {
        Matcher offset = OFFSET.matcher(typed);
        if (!offset.matches()) {
            return null;
        }
        String name = "Etc/GMT" + (offset.group(1).equals("+") ? "-" : "+") + offset.group(2);
        return NAMES.contains(name) ? name + ", whose sign is the other way round" : null;
    }
}
