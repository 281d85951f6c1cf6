package io.sluice.policy.yaml;

import static io.sluice.policy.PolicyFileAssertions.assertRefused;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class YamlSyntaxErrorTest {
    /** A common mistake, and its message. The lines of the mistake begin at line 3. */
    static Stream<Arguments> mistakes() {
        return Stream.of(
                arguments("  - name: a\n\tlimit: 5/s", "4:1: a tab in the indentation (expected: spaces)"),
                arguments(
                        "  - name: a\n   limit: 5/s",
                        "4:4: the indentation of this line matches no line above (expected: column 3, as in line 3)"),
                arguments(
                        "  - name: a\n      limit: 5/s",
                        "4:12: this line is indented more than line 3, which has a value already"
                                + " (expected: the same indentation for all fields of a mapping)"),
                arguments(
                        "  - name: a\n  limit: 5/s",
                        "4:3: a field between the items of a list (expected: \"- \" in column 3, as in line 3)"),
                arguments(
                        "- name: a\n  limit: 5/s\n  - name: b",
                        "5:3: a list item between the fields of a mapping (expected: a field in column 3, as in line 3)"),
                arguments(
                        "  - name: \"a\n    limit: 5/s",
                        "3:11: the quote is not closed (expected: the same quote at the end of the text)"),
                arguments(
                        "  - name: 'a\n    limit: 5/s",
                        "3:11: the quote is not closed (expected: the same quote at the end of the text)"),
                arguments("  - { name: a, limit: 5/s", "3:5: the { is not closed (expected: })"),
                arguments(
                        "  - name: a\n    key: [tenant\n    limit: 5/s",
                        "5:10: a comma is missing, or the [ of line 4, column 10 is not closed (expected: , or ] after each"
                                + " value; quotes around a value with special characters)"),
                arguments("  - { name: a, key: [tenant} }", "3:28: } closes the [ of line 3, column 21 (expected: ])"),
                arguments(
                        "  - { name: a limit: 5/s }",
                        "3:20: a comma is missing, or the { of line 3, column 5 is not closed (expected: , or } after each"
                                + " value; quotes around a value with special characters)"),
                arguments(
                        "  - name: a\n    key: [tenant]]",
                        "4:18: ] without [ before it (expected: none, or quotes around the value)"),
                arguments(
                        "  - name: login: attempts",
                        "3:16: a second \": \" in one line"
                                + " (expected: one field in a line; quotes around a value with \": \")"),
                arguments("  - name a\n    limit: 5/s", "4:10: line 3 has no colon (expected: \"name: value\")"),
                arguments(
                        "  - name:a\n    limit: 5/s",
                        "4:10: line 3 has no space after the colon (expected: \"name: value\")"),
                arguments(
                        "  -name: a\n   limit: 5/s",
                        "4:9: line 3 has no space after the dash (expected: \"- name: value\")"),
                arguments(
                        "  - match: { host: *.example.com }",
                        "3:21: a value that begins with * (expected: quotes around it, as in \"*...\")"),
                arguments("  - name: @a", "3:11: a value that begins with @ (expected: quotes around it)"),
                arguments(
                        "  - match: { path: { regex: \"\\d+\" } }",
                        "3:31: \\d in double quotes (expected: single quotes around the text, or \\\\d)"),
                arguments(
                        "  - name: \"a\" b",
                        "3:15: text after the end of a value (expected: one value, or quotes around all of it)"),
                arguments(
                        "  - key: - tenant",
                        "3:10: a list item after a field name (expected: the list on the next line, or [a, b])"),
                arguments(
                        "  - name: |a",
                        "3:12: text after | or > (expected: the text on the next lines, or quotes around the value)"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistake_isDescribedInPlainWords(String lines, String message) {
        String[] expected = message.split(": ", 2);
        assertRefused("version: 1\npolicies:\n" + lines + "\n")
                .containsExactly("test.yaml:" + expected[0] + ": error: not YAML: " + expected[1]);
    }
}
