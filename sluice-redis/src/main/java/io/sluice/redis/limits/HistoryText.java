package io.sluice.redis.limits;

import io.sluice.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    private static final int MOST_READ = 1000;
    private static final Map<String, List<Limit>> READ = new ConcurrentHashMap<>();

    private HistoryText() {}

    /** The newest of a history. */
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

    /** Thousands of limiters have few different limits: these are read, and kept in memory, once. */
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
     * The latest line of a history, with its limits as they stand there.
     *
     * @param start where it begins
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
     * The history after a limit was put in force; the same text if that changes nothing. As {@code enforce.lua} does it.
     *
     * @param text what Redis has; empty if it knows nothing
     * @param known the version that the asker knows; 0 for none
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

    /** Without the oldest lines, if there is no room for one more. */
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

    /** With the moment of the change that it has not been told yet. */
    static String since(String text, String micros) {
        return text.replace(NOW, micros);
    }

    /** The terms of a text of which most may be known: only what is new is read. */
    static VersionedLimits versions(String text, VersionedLimits known) {
        String latest = known.version() + " " + known.inForce.since() + " ";
        int at = text.startsWith(latest) ? 0 : text.indexOf("\n" + latest) + 1;
        if (at == 0 && !text.startsWith(latest)) {
            return new VersionedLimits(parse(text));
        }
        // Its revision may be another.
        List<LimitsVersion> history = new ArrayList<>(known.history.subList(0, known.history.size() - 1));
        history.addAll(parse(text.substring(at)));
        return new VersionedLimits(history.subList(Math.max(0, history.size() - LONGEST), history.size()));
    }

    /** Of a limiter that Redis does not know yet. */
    static String first(VersionedLimits versions) {
        return line(versions.inForce, NOW);
    }

    /** With further limits that are in force from now on. */
    static String changed(List<LimitsVersion> before, List<Limit> limits, long revision) {
        LimitsVersion last = before.get(before.size() - 1);
        int from = Math.max(0, before.size() + 1 - LONGEST);
        LimitsVersion next = new LimitsVersion(last.number() + 1, 0, Math.max(revision, last.revision()), limits);
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
