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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads single values of the file. What is none becomes a problem and is null. */
public final class ValueReader {
    public static final String LIMIT = "a limit such as 600/min";

    /** The most characters of a name. */
    public static final int LONGEST_NAME = 100;

    private static final Pattern PERCENTAGE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,9})?)%");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final Set<String> YES = Set.of("true", "yes", "on", "y");
    private static final Set<String> NO = Set.of("false", "no", "off", "n");

    private final Problems problems;

    public ValueReader(Problems problems) {
        this.problems = problems;
    }

    /** Any text; what stands without quotes is the text it is written as. */
    public @Nullable String text(String field, YamlNode node, String expected) {
        if (node instanceof YamlNode.Scalar scalar && !scalar.isNothing()) {
            return scalar.text();
        }
        refuse(field, node, expected);
        return null;
    }

    /** A text that the reader makes something of; where it is null, it is refused. */
    private <T> @Nullable T read(String field, YamlNode node, String expected, Function<String, @Nullable T> reader) {
        String text = text(field, node, expected);
        if (text == null) {
            return null;
        }
        T value = reader.apply(text);
        if (value == null) {
            refuse(field, node, expected);
        }
        return value;
    }

    /** A name: it becomes part of headers and metrics, so not every text will do. */
    @Nullable
    String name(String field, YamlNode node) {
        String expected = "1 to " + LONGEST_NAME + " printable ASCII characters";
        return read(field, node, expected, text -> isName(text) ? text : null);
    }

    private static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_NAME && text.chars().allMatch(c -> c >= ' ' && c <= '~');
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

    /** One of the constants, as they are written: in small letters. */
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

    /** A duration as in limits, from a second to a day. */
    public @Nullable Duration duration(String field, YamlNode node) {
        return read(field, node, "a duration of 1s to 1d, such as 10s, 5m or 1h", text -> {
            Duration duration = DurationText.parse(text, LONGEST);
            return duration == null || duration.compareTo(SHORTEST) < 0 ? null : duration;
        });
    }

    public @Nullable Long wholeNumber(String field, YamlNode node) {
        return read(
                field,
                node,
                "a whole number, 0 or more",
                text -> WHOLE_NUMBER.matcher(text).matches() ? Long.valueOf(text) : null);
    }

    /** Whether it says yes, in one of YAML's words for it. What is none of them becomes a problem, and is no. */
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

    /** The items of a list; none, and a problem, if it is no list. */
    public List<YamlNode> items(String field, YamlNode node, String expected) {
        if (node instanceof YamlNode.Sequence sequence) {
            return sequence.items();
        }
        refuse(field, node, expected);
        return List.of();
    }

    /** The items of a list of texts; one text alone is a list of one. Each is a scalar that holds something. */
    public List<YamlNode.Scalar> texts(String field, YamlNode node, String expected) {
        List<YamlNode.Scalar> texts = new ArrayList<>();
        for (YamlNode item : node instanceof YamlNode.Sequence sequence ? sequence.items() : List.of(node)) {
            if (text(field, item, expected) != null) {
                texts.add((YamlNode.Scalar) item);
            }
        }
        return texts;
    }

    /** A problem with what stands there. */
    public void refuse(String field, YamlNode node, String expected) {
        problems.error(node.at(), field + ": " + node.shown() + " (expected: " + expected + ")");
    }
}
