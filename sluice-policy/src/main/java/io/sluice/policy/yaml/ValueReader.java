package io.sluice.policy.yaml;

import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads single values of a file. An invalid value becomes a problem, and the result is null. */
public final class ValueReader {
    /** The expected value of a limit, for messages. */
    public static final String LIMIT = "a limit such as 600/min";

    /** The maximum number of characters of a name. */
    public static final int MAX_NAME_LENGTH = 100;

    private static final Pattern PERCENTAGE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,9})?)%");
    private static final Pattern NUMBER = Pattern.compile("(-?[0-9]{1,9}(?:\\.[0-9]{1,9})?)(%?)");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final Duration MIN_DURATION = Duration.ofSeconds(1);
    private static final Duration MAX_DURATION = Duration.ofDays(1);

    private static final Set<String> YES = Set.of("true", "yes", "on", "y");
    private static final Set<String> NO = Set.of("false", "no", "off", "n");

    private final Problems problems;

    public ValueReader(Problems problems) {
        this.problems = problems;
    }

    /** Reads a text. A value without quotes, such as a number, is read as it is written. */
    public @Nullable String text(String field, YamlNode node, String expected) {
        if (node instanceof YamlNode.Scalar scalar && !scalar.isNull()) {
            return scalar.text();
        }
        refuse(field, node, expected);
        return null;
    }

    /** Reads a text and parses it. If the parser returns null, the text is refused. */
    private <T> @Nullable T read(String field, YamlNode node, String expected, Function<String, @Nullable T> parser) {
        String text = text(field, node, expected);
        if (text == null) {
            return null;
        }
        T value = parser.apply(text);
        if (value == null) {
            refuse(field, node, expected);
        }
        return value;
    }

    /** Reads a name. Names are restricted because they appear in headers and metrics. */
    @Nullable
    String name(String field, YamlNode node) {
        String expected = "1 to " + MAX_NAME_LENGTH + " printable ASCII characters";
        return read(field, node, expected, text -> isName(text) ? text : null);
    }

    /** Whether a text is 1 to {@link #MAX_NAME_LENGTH} printable ASCII characters. */
    public static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_NAME_LENGTH
                && text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    public @Nullable Limit limit(String field, YamlNode node) {
        String text = text(field, node, LIMIT);
        if (text == null) {
            return null;
        }
        try {
            return Limit.parse(text);
        } catch (LimitSyntaxException e) {
            SourcePosition at = node instanceof YamlNode.Scalar scalar ? scalar.at(e.column() - 1) : node.at();
            problems.error(at, field + ": " + Problems.quoted(text) + ": " + e.problem());
            return null;
        }
    }

    /** Reads one of these constants, written in lower case. */
    public <E extends Enum<E>> @Nullable E oneOf(String field, YamlNode node, List<E> constants) {
        List<String> words = constants.stream()
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
        String expected = String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.get(words.size() - 1);
        return read(field, node, expected, text -> {
            int index = words.indexOf(text);
            return index < 0 ? null : constants.get(index);
        });
    }

    public @Nullable BigDecimal percentage(String field, YamlNode node) {
        return read(
                field,
                node,
                "a percentage above 0% and at most 100%, such as 20% or 12.5%",
                ValueReader::parsePercentage);
    }

    private static @Nullable BigDecimal parsePercentage(String text) {
        Matcher matcher = PERCENTAGE.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        BigDecimal percent = new BigDecimal(matcher.group(1));
        return percent.signum() > 0 && percent.compareTo(BigDecimal.valueOf(100)) <= 0 ? percent : null;
    }

    /** Reads a duration from one second to one day, in the syntax of limits. */
    public @Nullable Duration duration(String field, YamlNode node) {
        return read(field, node, "a duration of 1s to 1d, such as 10s, 5m or 1h", text -> {
            Duration duration = DurationText.parse(text, MAX_DURATION);
            return duration == null || duration.compareTo(MIN_DURATION) < 0 ? null : duration;
        });
    }

    /** Reads a duration from one millisecond to one day, in the syntax of limits. */
    public @Nullable Duration shortDuration(String field, YamlNode node) {
        return read(field, node, "a duration of 1ms to 1d, such as 250ms, 1s or 5m", text -> {
            Duration duration = DurationText.parse(text, MAX_DURATION);
            return duration == null || duration.isZero() ? null : duration;
        });
    }

    /** Reads a number such as 0.8, or a percentage such as 80%, which is the same. */
    public @Nullable BigDecimal number(String field, YamlNode node, Predicate<BigDecimal> holds, String expected) {
        return read(field, node, expected, text -> {
            Matcher matcher = NUMBER.matcher(text);
            if (!matcher.matches()) {
                return null;
            }
            BigDecimal number = new BigDecimal(matcher.group(1));
            BigDecimal value = matcher.group(2).isEmpty() ? number : number.movePointLeft(2);
            return holds.test(value) ? value.stripTrailingZeros() : null;
        });
    }

    public @Nullable Long wholeNumber(String field, YamlNode node) {
        return read(
                field,
                node,
                "a whole number, 0 or more",
                text -> WHOLE_NUMBER.matcher(text).matches() ? Long.valueOf(text) : null);
    }

    /** Reads a boolean, in one of the words of YAML. An invalid value becomes a problem, and the result is false. */
    public boolean flag(String field, YamlNode node) {
        String text = text(field, node, "true or false");
        if (text == null || NO.contains(text.toLowerCase(Locale.ROOT))) {
            return false;
        }
        if (!YES.contains(text.toLowerCase(Locale.ROOT))) {
            refuse(field, node, "true or false");
            return false;
        }
        return true;
    }

    /** The items of a list; empty and a problem if the node is not a list. */
    public List<YamlNode> items(String field, YamlNode node, String expected) {
        if (node instanceof YamlNode.Sequence sequence) {
            return sequence.items();
        }
        refuse(field, node, expected);
        return List.of();
    }

    /** The items of a list of texts, which are not empty. A single text is a list of one. */
    public List<YamlNode.Scalar> texts(String field, YamlNode node, String expected) {
        List<YamlNode.Scalar> texts = new ArrayList<>();
        for (YamlNode item : node instanceof YamlNode.Sequence sequence ? sequence.items() : List.of(node)) {
            if (text(field, item, expected) != null) {
                texts.add((YamlNode.Scalar) item);
            }
        }
        return texts;
    }

    /** Adds a problem with the value of a node. */
    public void refuse(String field, YamlNode node, String expected) {
        problems.error(node.at(), field + ": " + node.display() + " (expected: " + expected + ")");
    }
}
