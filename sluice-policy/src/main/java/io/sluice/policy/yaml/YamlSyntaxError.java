package io.sluice.policy.yaml;

import io.sluice.policy.PolicyException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/*
 * The YAML library reports what its scanner or parser met: "expected <block end>, but found '<block mapping start>'". A
 * person needs to know which mistake leads there. So each message of the library is translated here. Where several
 * mistakes lead to one message, the lines around it decide. A message without a translation is passed on.
 */

/** Describes a syntax error of a YAML file in our own words: the mistake, where it is, and how to repair it. */
public final class YamlSyntaxError {
    private static final Pattern FOUND = Pattern.compile("but (?:found|got) '?(.+?)'?$", Pattern.DOTALL);
    private static final Pattern CHARACTER = Pattern.compile("found character '(.)");
    private static final Pattern ESCAPE = Pattern.compile("found unknown escape character (.)");
    private static final Pattern DASH_WITHOUT_SPACE = Pattern.compile("-[^\\s-].*");
    private static final Pattern COLON_WITHOUT_SPACE = Pattern.compile("(?:- )?[\\w\"'-]+:[^\\s].*");

    private final String problem;
    private final String context;
    private final SourcePosition at;
    /** The start of the construct that the parser was reading; equal to {@link #at} if it is not known. */
    private final SourcePosition start;

    private final String[] lines;

    private YamlSyntaxError(
            String problem, String context, SourcePosition at, @Nullable SourcePosition start, String text) {
        this.problem = problem;
        this.context = context;
        this.at = at;
        this.start = start == null ? at : start;
        this.lines = text.split("\r\n|\r|\n", -1);
    }

    /**
     * The error in the text of a file.
     *
     * @param text the whole file
     */
    public static YamlSyntaxError of(MarkedYamlEngineException e, String text) {
        SourcePosition start = e.getContextMark().map(YamlSyntaxError::position).orElse(null);
        SourcePosition at =
                e.getProblemMark().map(YamlSyntaxError::position).orElse(start == null ? SourcePosition.START : start);
        String context = e.getContext() == null ? "" : e.getContext();
        return new YamlSyntaxError(String.valueOf(e.getProblem()), context, at, start, text);
    }

    private static SourcePosition position(Mark mark) {
        return new SourcePosition(mark.getLine() + 1, mark.getColumn() + 1);
    }

    /**
     * Adds the error to the problems of the file.
     *
     * @param at the position of the library
     * @param start the position of the construct that was being read, if the library knows it
     * @param text the whole file
     */
    static PolicyException report(
            MarkedYamlEngineException e,
            SourcePosition at,
            @Nullable SourcePosition start,
            String text,
            Problems problems) {
        String context = e.getContext() == null ? "" : e.getContext();
        YamlSyntaxError error = new YamlSyntaxError(String.valueOf(e.getProblem()), context, at, start, text);
        return problems.fatal(error.position(), "not YAML: " + error.message());
    }

    /** An unclosed quote or bracket is reported where it opens; the parser notices it at the end of the file. */
    public SourcePosition position() {
        boolean atEnd = isUnclosedQuote() || (isFlow() && found().equals("<stream end>"));
        return atEnd || problem.startsWith("could not find expected ':'") ? start : at;
    }

    /** The mistake, and what was expected. */
    public String message() {
        if (problem.startsWith("found character '")) {
            return unexpectedCharacter();
        } else if (problem.startsWith("mapping values are not allowed")) {
            return unexpectedColon();
        } else if (isUnclosedQuote()) {
            return "the quote is not closed (expected: the same quote at the end of the text)";
        } else if (isFlow()) {
            return flow();
        } else if (problem.startsWith("expected <block end>")) {
            return block();
        } else if (context.equals("while scanning an alias") || context.equals("while scanning an anchor")) {
            String sign = context.endsWith("alias") ? "*" : "&";
            return "a value that begins with " + sign + " (expected: quotes around it, as in \"" + sign + "...\")";
        } else if (problem.startsWith("found unknown escape character")) {
            return unknownEscape();
        } else if (problem.startsWith("expected escape sequence of ")) {
            return "an escape with too few digits (expected: \\xAB, \\uABCD or \\UABCDEF01 in double quotes)";
        } else if (problem.startsWith("could not find expected ':'")) {
            return "a field without a colon (expected: \"name: value\")";
        }
        return rareMessage();
    }

    private String rareMessage() {
        if (problem.startsWith("expected '<document start>'")) {
            return found().equals("<block mapping start>")
                    ? "this line is indented less than the first line (expected: the same indentation)"
                    : "text after the end of the document (expected: nothing)";
        } else if (problem.startsWith("expected the node content")) {
            return found().equals("<stream end>")
                    ? "the file ends inside a list or mapping (expected: a value, and ] or })"
                    : shown(found()) + " in the place of a value (expected: a value, or quotes around it)";
        } else if (problem.startsWith("sequence entries are not allowed")) {
            return "a list item after a field name (expected: the list on the next line, or [a, b])";
        } else if (problem.startsWith("mapping keys are not allowed")) {
            return "a value that begins with \"? \" (expected: quotes around it)";
        } else if (context.equals("while scanning a block scalar")) {
            return problem.startsWith("the leading empty lines")
                    ? "an empty line with more spaces than the text below it (expected: no spaces)"
                    : "text after | or > (expected: the text on the next lines, or quotes around the value)";
        } else if (context.equals("while scanning a tag") || problem.startsWith("found undefined tag handle")) {
            return "a value that begins with ! (expected: quotes around it)";
        } else if (context.endsWith("directive") || problem.contains("YAML directive")) {
            return "a line that begins with % (expected: no YAML directives, or quotes around a value)";
        }
        return "a syntax error, " + problem + (context.isEmpty() ? "" : " " + context) + " (expected: YAML)";
    }

    private String unexpectedCharacter() {
        String character = group(CHARACTER);
        // The library writes a tab as the two characters \t.
        if (character.equals("\\") || character.equals("\t")) {
            return "a tab in the indentation (expected: spaces)";
        }
        return "a value that begins with " + character + " (expected: quotes around it)";
    }

    /** A colon in a place where no field can be: the line has two, or the line before is wrong. */
    private String unexpectedColon() {
        String before = line(at.line())
                .substring(0, Math.min(at.column() - 1, line(at.line()).length()));
        if (before.contains(": ")) {
            return "a second \": \" in one line (expected: one field in a line; quotes around a value with \": \")";
        }
        int previous = at.line() - 1;
        while (previous > 1 && isBlankOrComment(line(previous))) {
            previous--;
        }
        String line = line(previous).strip();
        if (previous >= 1 && DASH_WITHOUT_SPACE.matcher(line).matches()) {
            return "line " + previous + " has no space after the dash (expected: \"- name: value\")";
        } else if (previous >= 1
                && !line.contains(": ")
                && COLON_WITHOUT_SPACE.matcher(line).matches()) {
            return "line " + previous + " has no space after the colon (expected: \"name: value\")";
        } else if (previous >= 1 && !line.contains(":")) {
            return "line " + previous + " has no colon (expected: \"name: value\")";
        }
        return "this line is indented more than line " + Math.max(1, previous)
                + ", which has a value already (expected: the same indentation for all fields of a mapping)";
    }

    private static boolean isBlankOrComment(String line) {
        return line.isBlank() || line.strip().startsWith("#");
    }

    private boolean isUnclosedQuote() {
        return context.equals("while scanning a quoted scalar") && problem.startsWith("found unexpected ");
    }

    private boolean isFlow() {
        return problem.startsWith("expected ',' or '");
    }

    private String flow() {
        String close = problem.startsWith("expected ',' or ']'") ? "]" : "}";
        String open = close.equals("]") ? "[" : "{";
        return switch (found()) {
            case "<stream end>" -> "the " + open + " is not closed (expected: " + close + ")";
            case "]", "}" -> found() + " closes the " + open + " of " + startText() + " (expected: " + close + ")";
            default ->
                "a comma is missing, or the " + open + " of " + startText() + " is not closed (expected: , or " + close
                        + " after each value; quotes around a value with special characters)";
        };
    }

    private String block() {
        String column = "column " + start.column() + ", as in line " + start.line();
        return switch (found()) {
            case "]", "}" ->
                found() + " without " + (found().equals("]") ? "[" : "{")
                        + " before it (expected: none, or quotes around the value)";
            case "-" -> "a list item between the fields of a mapping (expected: a field in " + column + ")";
            case "?" -> "a field between the items of a list (expected: \"- \" in " + column + ")";
            case "<block mapping start>", "<block sequence start>" ->
                "the indentation of this line matches no line above (expected: " + column + ")";
            default -> "text after the end of a value (expected: one value, or quotes around all of it)";
        };
    }

    private String unknownEscape() {
        String character = group(ESCAPE);
        return "\\" + character + " in double quotes (expected: single quotes around the text, or \\\\" + character
                + ")";
    }

    private String startText() {
        return "line " + start.line() + ", column " + start.column();
    }

    /** The token that the parser found. */
    private String found() {
        Matcher matcher = FOUND.matcher(problem);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static String shown(String token) {
        return switch (token) {
            case "<block end>", "<block mapping start>", "<block sequence start>" -> "a new line";
            default -> token;
        };
    }

    private String group(Pattern pattern) {
        Matcher matcher = pattern.matcher(problem);
        return matcher.find() ? matcher.group(1) : "";
    }

    private String line(int number) {
        return number >= 1 && number <= lines.length ? lines[number - 1] : "";
    }
}
