package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.redis.Terms.Version;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/*
 * Oldest first, a line each:
 *
 *     version since revision limit & limit ...
 *
 * The moment of a change is for Redis to say, which puts it where an @ stands.
 */
/** The limits of a limiter, in force and before, as the text by which Redis knows them. */
final class HistoryText {
    /** More versions are not kept. */
    static final int LONGEST = 64;

    private static final String NOW = "@";
    private static final String BETWEEN_LIMITS = " & ";

    private HistoryText() {}

    /** The newest of a history. */
    static String of(List<Version> history) {
        int from = Math.max(0, history.size() - LONGEST);
        return history.subList(from, history.size()).stream()
                .map(version -> line(version, Long.toString(version.since())))
                .collect(Collectors.joining("\n"));
    }

    private static String line(Version version, String since) {
        return version.number() + " " + since + " " + version.revision() + " "
                + version.limits().stream().map(Limit::toString).collect(Collectors.joining(BETWEEN_LIMITS));
    }

    static List<Version> parse(String text) {
        return text.lines().map(HistoryText::parseLine).toList();
    }

    private static Version parseLine(String line) {
        String[] words = line.split(" ", 4);
        if (words.length < 4) {
            throw new IllegalStateException(
                    "configuration: \"" + line + "\" (expected: version since revision limit & limit ...)");
        }
        List<Limit> limits = Arrays.stream(words[3].split(BETWEEN_LIMITS, -1))
                .map(Limit::parse)
                .toList();
        return new Version(Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), limits);
    }

    /** Of a limiter that Redis does not know yet. */
    static String first(Terms terms) {
        return line(terms.inForce, NOW);
    }

    /** With further limits that are in force from now on. */
    static String changed(List<Version> before, List<Limit> limits, long revision) {
        Version last = before.get(before.size() - 1);
        int from = Math.max(0, before.size() + 1 - LONGEST);
        Version next = new Version(last.number() + 1, 0, Math.max(revision, last.revision()), limits);
        return of(before.subList(from, before.size())) + "\n" + line(next, NOW);
    }

    /**
     * Whether Redis has taken over a text, with its own moment for the change.
     *
     * @param now what it has
     */
    static boolean isTaken(String now, String text) {
        int at = text.indexOf(NOW);
        return at >= 0 && now.startsWith(text.substring(0, at)) && now.endsWith(text.substring(at + 1));
    }
}
