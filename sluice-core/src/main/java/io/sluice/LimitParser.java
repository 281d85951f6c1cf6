package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;

/** Parses the text of one limit, see {@link Limit#parse}. */
final class LimitParser {
    private static final String RATE = "a rate such as 10/s or 5 per 1m";
    private static final String DURATIONS = "such as 500ms, 10s, 5m, 1h or 1d";
    private static final String AFTER_PER = "a duration after per, " + DURATIONS;

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
        if (Character.isDigit(first.charAt(0)) || isPointAndDigit(first)) {
            at = wordStart;
        } else {
            algorithm = algorithm(first);
        }
        if (algorithm == Algorithm.UNLIMITED || algorithm == Algorithm.BLOCKED) {
            end("the end of the text after " + algorithm);
            return algorithm == Algorithm.UNLIMITED ? Limit.unlimited() : Limit.blocked();
        }
        LimitOptions options;
        if (algorithm == Algorithm.CONCURRENCY) {
            options = concurrency();
        } else {
            options = new LimitOptions(algorithm);
            rate(options);
        }
        options(options);
        try {
            return options.limit();
        } catch (IllegalArgumentException e) {
            // The constructors of the records name the value that they refuse, "burst: 5 (expected: ...)". The name
            // gives the
            // column.
            String problem = String.valueOf(e.getMessage());
            String name = problem.substring(0, Math.max(0, problem.indexOf(':')));
            throw new LimitSyntaxException(text, columns.getOrDefault(name, 1), problem);
        }
    }

    private void options(LimitOptions options) {
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
                case "zone" -> options.zone = zone();
                case "over" -> options.over = duration("over");
                case "escalate" -> options.escalate = escalate();
                case "hold" -> options.hold = duration("hold");
                case "from" -> options.from = value("from", "a whole number");
                case "between" -> between(options);
                default -> options.lockout = duration("lockout");
            }
        }
        if (options.algorithm == Algorithm.WARM_UP && options.over.isZero()) {
            throw wrong("no over", "over DURATION, how long it takes to be warm, as in over 10s");
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
                "token-bucket, leaky-bucket, fixed-window, sliding-log, sliding-counter, warm-up, concurrency, unlimited, blocked or "
                        + RATE);
    }

    /** What follows "concurrency": a number of permits, or "adaptive". */
    private LimitOptions concurrency() {
        int start = at;
        if (word().equals("adaptive")) {
            return new LimitOptions(Algorithm.ADAPTIVE_CONCURRENCY);
        }
        at = start;
        skipSpace();
        columns.put("permits", at + 1);
        LimitOptions options = new LimitOptions(Algorithm.CONCURRENCY);
        options.permits = number("a whole number of permits as in concurrency 64, or adaptive");
        return options;
    }

    /** The range of an adaptive limit, as in "between 1 and 1000". */
    private void between(LimitOptions options) {
        options.least = value("between", "a whole number");
        columns.put("least", columns.getOrDefault("between", 1));
        String word = word();
        if (!word.equals("and")) {
            throw wrong(word.isEmpty() ? "nothing" : quoted(word), "and, as in between 1 and 1000");
        }
        options.most = value("and", "a whole number");
        columns.put("most", columns.getOrDefault("and", 1));
    }

    private void rate(LimitOptions options) {
        skipSpace();
        int start = at;
        columns.put("permits", at + 1);
        options.permits = isPointAndDigit(text.substring(at)) ? 0 : number(RATE);
        int point = at;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            number("digits after the point");
        }
        String fraction = text.substring(Math.min(point + 1, at), at);
        columns.put("period", at + 1);
        columns.put("window", at + 1);
        period(options);
        if (!fraction.isEmpty()) {
            wordStart = start;
            throw fractional(text.substring(start, point), fraction, options);
        }
    }

    /** Whether it begins as .5 does. */
    private static boolean isPointAndDigit(String word) {
        return word.length() > 1 && word.charAt(0) == '.' && Character.isDigit(word.charAt(1));
    }

    /** People write 0.5/s. Only whole permits are counted, so the error says the same rate in whole numbers. */
    private LimitSyntaxException fractional(String whole, String fraction, LimitOptions options) {
        String same = options.calendar == null ? LimitText.wholeRate(whole, fraction, options.period) : "";
        return wrong(
                quoted(whole + "." + fraction),
                same.isEmpty() ? "a whole number of permits" : "whole permits; the same rate is " + same);
    }

    private void period(LimitOptions options) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == '/') {
            at++;
            skipSpace();
            if (at < text.length() && Character.isDigit(text.charAt(at))) {
                options.period = duration("per");
                return;
            }
            String unit = word();
            Long micros = LimitText.UNITS.get(unit);
            if (micros == null) {
                if (isCalendar(unit)) {
                    throw wrong("unit " + quoted(unit), "fixed-window N per " + unit + ", with per and not /");
                }
                throw wrong(
                        unit.isEmpty() ? "no unit" : "unit " + quoted(unit),
                        "one of " + String.join(", ", LimitText.UNITS.keySet()) + ", or a duration such as 10s");
            }
            options.period = Exact.duration(micros);
            return;
        }
        String word = word();
        if (!word.equals("per")) {
            throw wrong(word.isEmpty() ? "no unit" : quoted(word), "/UNIT or per DURATION, as in 10/s or 5 per 1m");
        }
        skipSpace();
        if (at < text.length() && Character.isLetter(text.charAt(at))) {
            options.calendar = calendar(options.algorithm);
        } else {
            options.period = duration("per");
        }
    }

    private static boolean isCalendar(String word) {
        for (CalendarPeriod period : CalendarPeriod.values()) {
            if (period.toString().equals(word)) {
                return true;
            }
        }
        return false;
    }

    private CalendarPeriod calendar(Algorithm algorithm) {
        String word = word();
        for (CalendarPeriod period : CalendarPeriod.values()) {
            if (period.toString().equals(word)) {
                if (algorithm != Algorithm.FIXED_WINDOW) {
                    throw wrong(quoted(word), "a duration such as 1d, because only fixed-window knows the calendar");
                }
                return period;
            }
        }
        String calendar = algorithm == Algorithm.FIXED_WINDOW ? ", or day, week, month or year" : "";
        throw wrong(quoted(word), AFTER_PER + calendar);
    }

    private ZoneId zone() {
        skipSpace();
        columns.put("zone", at + 1);
        wordStart = at;
        while (at < text.length() && !isSpace(text.charAt(at))) {
            at++;
        }
        if (at == wordStart) {
            throw wrong("nothing", "a zone of the IANA database after zone, such as Europe/Berlin");
        }
        try {
            return Zones.of(text.substring(wordStart, at));
        } catch (IllegalArgumentException e) {
            throw new LimitSyntaxException(text, wordStart + 1, String.valueOf(e.getMessage()));
        }
    }

    private int escalate() {
        String expected = "a whole number from 1 to " + Lockout.MAX_ESCALATE;
        long times = value("escalate", expected);
        if (times < 1 || times > Lockout.MAX_ESCALATE) {
            throw wrong("escalate: " + times, "1 to " + Lockout.MAX_ESCALATE);
        }
        return (int) times;
    }

    private Duration duration(String name) {
        skipSpace();
        wordStart = at;
        String expected = name.equals("per") ? AFTER_PER : "a duration after " + name + ", " + DURATIONS;
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
        wordStart = at;
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
}
