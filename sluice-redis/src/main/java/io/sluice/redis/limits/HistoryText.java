package io.sluice.redis.limits;

import io.sluice.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
     */
    record Last(int number, String since, long revision, String limits) {
        static Last of(String text) {
            String[] words = words(text.substring(text.lastIndexOf('\n') + 1));
            return new Last(Integer.parseInt(words[0]), words[1], Long.parseLong(words[2]), words[3]);
        }

        /** No other line begins like that. */
        private String start() {
            return number + " " + since + " ";
        }

        private String text(int number, String since, long revision, String limits) {
            return number + " " + since + " " + revision + " " + limits;
        }
    }

    /**
     * A new last line of a text.
     *
     * @param last the beginning of the last line before; empty if there is no text
     * @param line an @ in it stands for the time of the change
     */
    record Change(String last, How how, String line) {
        /** How the line comes into the text; see {@code stage.lua}. */
        enum How {
            ADD("add"),
            TRIM("trim"),
            REPLACE("replace");

            final String code;

            How(String code) {
                this.code = code;
            }
        }

        /** The newest lines of a text after this change. */
        String applied(String newest) {
            if (how == How.REPLACE) {
                return newest.substring(0, newest.lastIndexOf('\n') + 1) + line;
            }
            return newest.isEmpty() ? line : newest + "\n" + line;
        }

        /** This change at a known time. */
        Change since(String micros) {
            return new Change(last, how, HistoryText.since(line, micros));
        }
    }

    /**
     * The change of a text that puts a limit in force; null if it is in force. {@code enforce.lua} does the same.
     *
     * @param newest the newest lines of the text in Redis; empty if there is none
     * @param known the limits that this process knows; null for none
     */
    static @Nullable Change enforced(String newest, @Nullable VersionedLimits known, long revision, String limit) {
        int version = known == null ? 0 : known.version();
        if (newest.isEmpty()) {
            return new Change("", Change.How.ADD, (version + 1) + " " + NOW + " " + revision + " " + limit);
        }
        Last last = Last.of(newest);
        if (revision >= last.revision && !last.limits.equals(limit)) {
            String line = last.text(Math.max(last.number, version) + 1, NOW, revision, limit);
            // There may be more lines than this process knows, or fewer. Redis counts them, if it is worth it.
            long lines = newest.lines().count() + (known == null ? 0 : known.history.size());
            return new Change(last.start(), lines < LONGEST ? Change.How.ADD : Change.How.TRIM, line);
        } else if (revision > last.revision) {
            return new Change(
                    last.start(), Change.How.REPLACE, last.text(last.number, last.since, revision, last.limits));
        }
        return null;
    }

    /** Replaces the @ by the time of the change. */
    static String since(String text, String micros) {
        return text.replace(NOW, micros);
    }

    /** The last line of a text, as far as this process knows. */
    static String last(VersionedLimits known) {
        return line(known.inForce, Long.toString(known.inForce.since()));
    }

    /** The beginning of the line of the limits in force. No other line begins like that. */
    static String start(VersionedLimits known) {
        return known.version() + " " + known.inForce.since() + " ";
    }

    /** Reads a text of which earlier versions are known. Parses the new lines only. */
    private static VersionedLimits versions(String text, VersionedLimits known) {
        String latest = start(known);
        int at = text.startsWith(latest) ? 0 : text.indexOf("\n" + latest) + 1;
        if (at == 0 && !text.startsWith(latest)) {
            return new VersionedLimits(parse(text));
        }
        // The revision of the latest known version may have changed.
        List<LimitsVersion> history = new ArrayList<>(known.history.subList(0, known.history.size() - 1));
        history.addAll(parse(text.substring(at)));
        return new VersionedLimits(history.subList(Math.max(0, history.size() - LONGEST), history.size()));
    }

    /** The limits of a text of a limiter; the known object if they are the same. */
    static VersionedLimits versions(AgreedLimits limiter, String text) {
        VersionedLimits known = limiter.versions();
        Last last = Last.of(text);
        boolean same =
                limiter.isAgreed() && last.number() == known.version() && last.revision() == known.inForce.revision();
        return same ? known : versions(text, known);
    }

    /** The limits of the texts of limiters. */
    static Map<AgreedLimits, VersionedLimits> versions(List<AgreedLimits> limiters, List<String> texts) {
        Map<AgreedLimits, VersionedLimits> read = new LinkedHashMap<>();
        for (int i = 0; i < limiters.size(); i++) {
            AgreedLimits limiter = limiters.get(i);
            read.put(limiter, versions(limiter, texts.get(i)));
        }
        return read;
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
