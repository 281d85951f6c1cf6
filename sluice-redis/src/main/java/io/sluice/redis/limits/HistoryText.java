package io.sluice.redis.limits;

import io.sluice.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/*
 * One line for each version, oldest first:
 *
 *     version since revision limit & limit ...
 *
 * Redis sets the time of a change: it replaces an @.
 */
/** Writes and reads the versions of a limiter's limits as the text that Redis stores. */
final class HistoryText {
    /** The maximum number of versions in a text. */
    static final int LONGEST = 64;

    private static final String NOW = "@";
    private static final String BETWEEN_LIMITS = " & ";
    private static final int MOST_READ = 1000;
    private static final Map<String, List<Limit>> READ = new ConcurrentHashMap<>();

    private HistoryText() {}

    /** The text of the newest versions of a history. */
    static String of(List<LimitsVersion> history) {
        int from = Math.max(0, history.size() - LONGEST);
        return history.subList(from, history.size()).stream()
                .map(version -> line(version, Long.toString(version.since())))
                .collect(Collectors.joining("\n"));
    }

    private static String line(LimitsVersion version, String since) {
        return version.number() + " " + since + " " + version.revision() + " "
                + version.limits().stream().map(Limit::toString).collect(Collectors.joining(BETWEEN_LIMITS));
    }

    static List<LimitsVersion> parse(String text) {
        return text.lines().map(HistoryText::parseLine).toList();
    }

    private static String[] words(String line) {
        String[] words = line.split(" ", 4);
        if (words.length < 4) {
            throw new IllegalStateException(
                    "configuration: \"" + line + "\" (expected: version since revision limit & limit ...)");
        }
        return words;
    }

    private static LimitsVersion parseLine(String line) {
        String[] words = words(line);
        return new LimitsVersion(
                Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), limits(words[3]));
    }

    /** Parses limits. Thousands of limiters have few different limits, so equal texts are parsed and kept once. */
    private static List<Limit> limits(String text) {
        List<Limit> known = READ.get(text);
        if (known == null) {
            known = Arrays.stream(text.split(BETWEEN_LIMITS, -1))
                    .map(Limit::parse)
                    .toList();
            if (READ.size() >= MOST_READ) {
                READ.clear();
            }
            READ.put(text, known);
        }
        return known;
    }

    /**
     * The last line of a text, with its limits as text.
     *
     * @param start the position of the line in the text
     */
    record Last(int start, int number, String since, long revision, String limits) {
        static Last of(String text) {
            int start = text.lastIndexOf('\n') + 1;
            String[] words = words(text.substring(start));
            return new Last(start, Integer.parseInt(words[0]), words[1], Long.parseLong(words[2]), words[3]);
        }

        private String text(int number, String since, long revision, String limits) {
            return number + " " + since + " " + revision + " " + limits;
        }
    }

    /**
     * The text after a limit was put in force; the same text if that changes nothing. {@code enforce.lua} does the same.
     *
     * @param text the text in Redis; empty if there is none
     * @param known the version that this process knows; 0 for none
     */
    static String enforced(String text, int known, long revision, String limit) {
        if (text.isEmpty()) {
            return (known + 1) + " " + NOW + " " + revision + " " + limit;
        }
        Last last = Last.of(text);
        if (revision >= last.revision && !last.limits.equals(limit)) {
            String line = last.text(Math.max(last.number, known) + 1, NOW, revision, limit);
            return newest(text) + "\n" + line;
        } else if (revision > last.revision) {
            return text.substring(0, last.start) + last.text(last.number, last.since, revision, last.limits);
        }
        return text;
    }

    /** Removes the oldest lines, so that there is room for one more. */
    private static String newest(String text) {
        int from = text.length();
        for (int lines = 1; lines < LONGEST; lines++) {
            from = text.lastIndexOf('\n', from - 1);
            if (from < 0) {
                return text;
            }
        }
        return text.substring(from + 1);
    }

    /** Replaces the @ by the time of the change. */
    static String since(String text, String micros) {
        return text.replace(NOW, micros);
    }

    /** Reads a text of which earlier versions are known. Parses the new lines only. */
    static VersionedLimits versions(String text, VersionedLimits known) {
        String latest = known.version() + " " + known.inForce.since() + " ";
        int at = text.startsWith(latest) ? 0 : text.indexOf("\n" + latest) + 1;
        if (at == 0 && !text.startsWith(latest)) {
            return new VersionedLimits(parse(text));
        }
        // The revision of the latest known version may have changed.
        List<LimitsVersion> history = new ArrayList<>(known.history.subList(0, known.history.size() - 1));
        history.addAll(parse(text.substring(at)));
        return new VersionedLimits(history.subList(Math.max(0, history.size() - LONGEST), history.size()));
    }

    /** The text of a limiter that Redis does not know yet. */
    static String first(VersionedLimits versions) {
        return line(versions.inForce, NOW);
    }

    /** The text with other limits, which are in force from now on. */
    static String changed(List<LimitsVersion> before, List<Limit> limits, long revision) {
        LimitsVersion last = before.get(before.size() - 1);
        int from = Math.max(0, before.size() + 1 - LONGEST);
        LimitsVersion next = new LimitsVersion(last.number() + 1, 0, Math.max(revision, last.revision()), limits);
        return of(before.subList(from, before.size())) + "\n" + line(next, NOW);
    }

    /**
     * Whether Redis has accepted a text, and has set the time of the change.
     *
     * @param now the text that Redis has now
     */
    static boolean isTaken(String now, String text) {
        int at = text.indexOf(NOW);
        return at >= 0 && now.startsWith(text.substring(0, at)) && now.endsWith(text.substring(at + 1));
    }
}
