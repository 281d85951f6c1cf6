package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Parses the text of one limit, see {@link Limit#parse}. */
final class LimitParser {
    private static final String RATE = "a rate such as 10/s or 5 per 1m";

    private final String text;
    private int at;
    private int wordStart;

    /** The column of the value of each option, for error messages. */
    private final Map<String, Integer> columns = new HashMap<>();

    LimitParser(String text) {
        this.text = text;
    }

    Limit parse() {
        String first = word();
        if (first.isEmpty()) {
            throw wrong("nothing", "an algorithm or " + RATE);
        }
        Algorithm algorithm = Algorithm.TOKEN_BUCKET;
        if (Character.isDigit(first.charAt(0))) {
            at = wordStart;
        } else {
            algorithm = algorithm(first);
        }
        if (algorithm == Algorithm.UNLIMITED || algorithm == Algorithm.BLOCKED) {
            end("the end of the text after " + algorithm);
            return algorithm == Algorithm.UNLIMITED ? Limit.unlimited() : Limit.blocked();
        }
        skipSpace();
        columns.put("permits", at + 1);
        long permits = number(RATE);
        columns.put("period", at + 1);
        columns.put("window", at + 1);
        Duration period = period();
        return options(algorithm, permits, period);
    }

    private Limit options(Algorithm algorithm, long permits, Duration period) {
        Options options = new Options(algorithm);
        for (String word = word(); !word.isEmpty(); word = word()) {
            if (!options.fits(word)) {
                throw wrong(quoted(word), options.expected());
            }
            if (columns.containsKey(word)) {
                throw wrong(quoted(word) + " a second time", "every option once");
            }
            columns.put(word, wordStart + 1);
            switch (word) {
                case "burst", "capacity", "slots" -> options.count = value(word, "a whole number");
                case "refill" -> options.refill = refill();
                case "from-first" -> options.fromFirst = true;
                default -> options.lockout = lockout();
            }
        }
        try {
            return options.limit(permits, period);
        } catch (LimitSyntaxException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            // The constructors of the records name the value that they refuse, "burst: 5 (expected: ...)". The name
            // gives the
            // column.
            String problem = String.valueOf(e.getMessage());
            String name = problem.substring(0, Math.max(0, problem.indexOf(':')));
            throw new LimitSyntaxException(text, columns.getOrDefault(name, 1), problem);
        }
    }

    private Algorithm algorithm(String word) {
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm.toString().equals(word)) {
                return algorithm;
            }
        }
        throw wrong(
                quoted(word),
                "token-bucket, leaky-bucket, fixed-window, sliding-log, sliding-counter, unlimited, blocked or "
                        + RATE);
    }

    private Duration period() {
        skipSpace();
        if (at < text.length() && text.charAt(at) == '/') {
            at++;
            String unit = word();
            Long micros = LimitText.UNITS.get(unit);
            if (micros == null) {
                throw wrong(
                        unit.isEmpty() ? "no unit" : "unit " + quoted(unit),
                        "one of " + String.join(", ", LimitText.UNITS.keySet()));
            }
            return Exact.duration(micros);
        }
        String word = word();
        if (!word.equals("per")) {
            throw wrong(word.isEmpty() ? "no unit" : quoted(word), "/UNIT or per DURATION, as in 10/s or 5 per 1m");
        }
        return duration("per");
    }

    private Duration lockout() {
        return duration("lockout");
    }

    private Duration duration(String name) {
        skipSpace();
        wordStart = at;
        String expected = "a duration after " + name + ", such as 500ms, 10s, 5m, 1h or 1d";
        columns.put(name.equals("per") ? "period" : name, at + 1);
        if (name.equals("per")) {
            columns.put("window", at + 1);
        }
        long number = number(expected);
        int unitStart = at;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
        String unit = text.substring(unitStart, at);
        Long micros = LimitText.UNITS.get(unit);
        if (micros == null || (at < text.length() && !isSpace(text.charAt(at)))) {
            at = wordStart;
            throw wrong(quoted(word()), expected);
        }
        if (number < 1 || number > Exact.MAX_NUMBER / micros) {
            at = wordStart;
            throw wrong(quoted(word()), "1" + unit + " to " + Exact.MAX_NUMBER / micros + unit);
        }
        return Exact.duration(number * micros);
    }

    private Refill refill() {
        String word = word();
        return switch (word) {
            case "greedy" -> Refill.GREEDY;
            case "interval" -> Refill.INTERVAL;
            default -> throw wrong(word.isEmpty() ? "nothing after refill" : quoted(word), "greedy or interval");
        };
    }

    private long value(String option, String expected) {
        skipSpace();
        columns.put(option, at + 1);
        long number = number(expected + " after " + option);
        if (at < text.length() && !isSpace(text.charAt(at))) {
            at = columns.get(option) - 1;
            throw wrong(quoted(word()), expected + " after " + option);
        }
        return number;
    }

    private long number(String expected) {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            String word = word();
            throw wrong(word.isEmpty() ? "nothing" : quoted(word), expected);
        }
        int significant = start;
        while (significant < at - 1 && text.charAt(significant) == '0') {
            significant++;
        }
        if (at - significant > 18) {
            wordStart = start;
            throw wrong(text.substring(start, at), "at most " + Exact.MAX_NUMBER);
        }
        return Long.parseLong(text, significant, at, 10);
    }

    private void end(String expected) {
        String word = word();
        if (!word.isEmpty()) {
            throw wrong(quoted(word), expected);
        }
    }

    /** The next word, or an empty text at the end. A slash also ends a word. */
    private String word() {
        skipSpace();
        wordStart = at;
        while (at < text.length() && !isSpace(text.charAt(at)) && text.charAt(at) != '/') {
            at++;
        }
        if (at == wordStart && at < text.length()) {
            at++;
        }
        return text.substring(wordStart, at);
    }

    private void skipSpace() {
        while (at < text.length() && isSpace(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static String quoted(String word) {
        return '"' + word + '"';
    }

    private LimitSyntaxException wrong(String what, String expected) {
        return new LimitSyntaxException(text, wordStart + 1, what + " (expected: " + expected + ")");
    }

    /** The options in the text, and which options the algorithm has. */
    private static final class Options {
        private final Algorithm algorithm;
        private long count = -1;
        private Refill refill = Refill.GREEDY;
        private boolean fromFirst;
        private Duration lockout = Duration.ZERO;

        Options(Algorithm algorithm) {
            this.algorithm = algorithm;
        }

        boolean fits(String word) {
            return switch (word) {
                case "burst", "refill" -> algorithm == Algorithm.TOKEN_BUCKET;
                case "capacity" -> algorithm == Algorithm.LEAKY_BUCKET;
                case "from-first" -> algorithm == Algorithm.FIXED_WINDOW;
                case "slots" -> algorithm == Algorithm.SLIDING_COUNTER;
                case "lockout" -> true;
                default -> false;
            };
        }

        String expected() {
            String own = switch (algorithm) {
                case TOKEN_BUCKET -> "burst N, refill greedy|interval, ";
                case LEAKY_BUCKET -> "capacity N, ";
                case FIXED_WINDOW -> "from-first, ";
                case SLIDING_COUNTER -> "slots N, ";
                default -> "";
            };
            return own + "lockout DURATION or the end of the text, for " + algorithm;
        }

        Limit limit(long permits, Duration period) {
            Limit limit = switch (algorithm) {
                case TOKEN_BUCKET -> new TokenBucket(permits, period, count < 0 ? permits : count, refill);
                case LEAKY_BUCKET -> new LeakyBucket(permits, period, count < 0 ? permits : count);
                case FIXED_WINDOW -> new FixedWindow(permits, period, fromFirst);
                case SLIDING_LOG -> new SlidingLog(permits, period);
                case SLIDING_COUNTER ->
                    new SlidingCounter(permits, period, count < 0 ? SlidingCounter.DEFAULT_SLOTS : count);
                case UNLIMITED, BLOCKED -> throw new IllegalStateException(algorithm + " has no rate");
            };
            return lockout.isZero() ? limit : limit.lockout(lockout);
        }
    }
}
