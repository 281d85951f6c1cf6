package io.sluice.policy.yaml;

import static io.sluice.policy.PolicyFileAssertions.assertRefused;
import static io.sluice.policy.PolicyFileAssertions.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlReaderTest {
    private static final String GOOD = "version: 1\npolicies: []\n";

    @Test
    void syntaxError_tab_isRefused() {
        assertRefused("version: 1\npolicies:\n\t- name: a\n")
                .containsExactly("test.yaml:3:1: error: not YAML: a tab in the indentation (expected: spaces)");
    }

    @Test
    void syntaxError_unclosedList_isRefused() {
        assertRefused("version: 1\npolicies: [\n")
                .containsExactly("test.yaml:3:1: error: not YAML: the file ends inside a list or mapping"
                        + " (expected: a value, and ] or })");
    }

    @Test
    void syntaxError_keepsEarlierProblems() {
        assertRefused("version: 1\nversion: 1\npolicies: @\n")
                .satisfiesExactly(
                        first -> assertThat(first)
                                .isEqualTo("test.yaml:2:1: error: field: \"version\" a second time"
                                        + " (expected: every field once; the first is in line 1)"),
                        second -> assertThat(second)
                                .isEqualTo("test.yaml:3:11: error: not YAML: a value that begins with @"
                                        + " (expected: quotes around it)"));
    }

    @Test
    void syntaxError_otherYamlVersion_isRefused() {
        assertRefused("%YAML 2.0\n---\n" + GOOD)
                .containsExactly("test.yaml:1:1: error: not YAML: a %YAML directive of another version"
                        + " (expected: 1.2, or no directive)");
    }

    @Test
    void characters_notPrintable_areRefused() {
        assertRefused("version: 1\r\npolicies: \u0000[]\n")
                .containsExactly(
                        "test.yaml:2:11: error: character U+0000 (expected: a printable character; double quotes allow an escape)");
        assertRefused("version: 1\rpolicies: 😀\ud800")
                .containsExactly(
                        "test.yaml:2:12: error: character U+D800 (expected: a printable character; double quotes allow an escape)");
    }

    @Test
    void text_withByteOrderMark_isRead() {
        assertThat(Policies.parse("\ufeff" + GOOD, "test.yaml").policies()).isEmpty();
    }

    @Test
    void text_tooLong_isRefused() {
        String line = "# " + "x".repeat(97) + "\n";
        String most = GOOD + line.repeat((YamlText.MAX_CODE_POINTS - GOOD.length()) / line.length());
        String padded = most + " ".repeat(YamlText.MAX_CODE_POINTS - most.length());
        assertThat(Policies.parse(padded, "test.yaml").policies()).isEmpty();
        assertRefused(padded + " ")
                .singleElement()
                .asString()
                .matches("test.yaml:\\d+:\\d+: error: more than 4194304 characters \\(expected: at most 4194304\\)");
    }

    @Test
    void text_scalarOfTenMegabytes_isRefused() {
        assertRefused("version: 1\npolicies: " + "x".repeat(10_000_000))
                .containsExactly(
                        "test.yaml:2:4194294: error: more than 4194304 characters (expected: at most 4194304)");
    }

    @Test
    void text_longScalar_isReadInLinearTime() {
        // With the small default buffer of the library, this takes a minute.
        assertRefused("version: 1\npolicies: " + "x".repeat(4_000_000))
                .singleElement()
                .asString()
                .startsWith("test.yaml:2:11: error: policies: \"xxxx")
                .hasSizeLessThan(200);
    }

    @Test
    void document_none_isRefused() {
        String nothing = "test.yaml:1:1: error: nothing (expected: a mapping with version and policies)";
        assertRefused("").containsExactly(nothing);
        assertRefused("# only a comment\n").containsExactly(nothing);
    }

    @Test
    void document_second_isRefused() {
        assertRefused(GOOD + "---\n" + GOOD).containsExactly("test.yaml:3:1: error: a second document (expected: one)");
    }

    @Test
    void nesting_atTheBound_isAccepted() {
        assertRefused("[".repeat(32) + "]".repeat(32))
                .singleElement()
                .asString()
                .contains("a list (expected: a mapping");
        assertRefused("[".repeat(33) + "]".repeat(33))
                .containsExactly("test.yaml:1:33: error: nested deeper than 32 levels (expected: at most 32)");
    }

    @Test
    void nesting_veryDeep_isRefused() {
        String tooDeep = "error: nested deeper than 32 levels (expected: at most 32)";
        assertRefused("[".repeat(100_000)).containsExactly("test.yaml:1:33: " + tooDeep);
        assertRefused("{a: ".repeat(100_000)).containsExactly("test.yaml:1:129: " + tooDeep);
        assertRefused("- ".repeat(100_000)).containsExactly("test.yaml:1:65: " + tooDeep);
        assertRefused("? ".repeat(100_000)).containsExactly("test.yaml:1:65: " + tooDeep);
    }

    @Test
    void nesting_byAliases_isRefused() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 40; i++) {
            yaml.append("a%d: &a%d [*a%d]%n".formatted(i, i, i - 1));
        }
        assertRefused(yaml.toString())
                .containsExactly("test.yaml:32:12: error: nested deeper than 32 levels (expected: at most 32)");
    }

    @Test
    void alias_ofALimit_isThatLimit() {
        Policies policies = Policies.parse(
                "version: 1\npolicies:\n  - &p { name: a, limit: &l 5/s }\n  - { name: b, limit: *l }\n", "test.yaml");
        assertThat(policies.policies())
                .extracting(policy -> policy.limit().toString())
                .containsOnly("token-bucket 5/s");
    }

    @Test
    void alias_redefined_isTheLast() {
        Policies policies = Policies.parse(
                "version: 1\npolicies:\n  - { name: &a x, limit: &a 5/s }\n  - { name: b, limit: *a }\n", "test.yaml");
        assertThat(policies.policies())
                .extracting(policy -> policy.limit().toString())
                .containsOnly("token-bucket 5/s");
    }

    @Test
    void alias_unknown_isRefused() {
        assertRefused("version: *v\n")
                .containsExactly("test.yaml:1:10: error: *v (expected: an alias of an anchor before it)");
    }

    @Test
    void alias_ofItself_isRefused() {
        assertRefused("version: 1\npolicies: &a [ *a ]\n")
                .containsExactly("test.yaml:2:16: error: *a inside of &a (expected: no alias of itself)");
    }

    @Test
    void alias_billionLaughs_isRefused() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i < 10; i++) {
            yaml.append("a%d: &a%d [%s*a%d]%n"
                    .formatted(i, i, "*a%d, ".formatted(i - 1).repeat(8), i - 1));
        }
        assertRefused(yaml.toString())
                .singleElement()
                .asString()
                .matches("test.yaml:7:\\d+: error: more than 2000000 nodes, aliases counted .*");
    }

    @Test
    void alias_ofLongTexts_isRefused() {
        assertRefused("a: &a " + "x".repeat(1_000_000) + "\nb: [" + "*a, ".repeat(100_000) + "]")
                .singleElement()
                .asString()
                .contains("error: more than 2000000 nodes, aliases counted");
    }

    @Test
    void tag_ofTheCoreSchema_isAccepted() {
        Policies policies = Policies.parse(
                "!!map\nversion: !!int 1\npolicies: !!seq\n  - { name: !!str null, limit: ! 5/s }\n", "test.yaml");
        assertThat(policies.policies()).extracting(Policy::name).containsExactly("null");
    }

    @Test
    void tag_other_isRefused() {
        assertRefused("version: !!java.net.URL 1\npolicies: !list []\nalerts: !!map []\n")
                .containsExactly(
                        "test.yaml:1:10: error: tag \"tag:yaml.org,2002:java.net.URL\" (expected: none)",
                        "test.yaml:2:11: error: tag \"!list\" (expected: none)",
                        "test.yaml:3:9: error: tag \"tag:yaml.org,2002:map\" (expected: none)");
    }

    @Test
    void field_notText_isRefused() {
        String noText = " is not text (expected: a name; in quotes it is text)";
        assertRefused(policy(
                        "limit: 5/s", "match:", "  200: a", "  true: b", "  ? [x]", "  : c", "  ~: d", "  -1.5e3: e"))
                .containsExactly(
                        "test.yaml:6:7: error: field: 200" + noText,
                        "test.yaml:7:7: error: field: true" + noText,
                        "test.yaml:8:9: error: field: a list (expected: a name)",
                        "test.yaml:10:7: error: field: nothing (expected: a name)",
                        "test.yaml:11:7: error: field: -1.5e3" + noText);
    }

    @Test
    void field_inQuotes_isText() {
        assertThat(Policies.parse(policy("limit: 5/s", "match: { \"200\": a, off: b }"), "test.yaml")
                        .policies()
                        .get(0)
                        .match()
                        .conditions())
                .containsOnlyKeys("200", "off");
    }

    @Test
    void field_merge_isRefused() {
        assertRefused("version: 1\npolicies:\n  - &a { name: a, limit: 5/s }\n  - { <<: *a, name: b }\n")
                .contains("test.yaml:4:7: error: unknown field \"<<\""
                        + " (expected: no merge keys; an alias can stand for a whole value)");
    }

    @Test
    void problems_manyThousands_areCounted() {
        assertRefused("version: 1\npolicies: [" + "x, ".repeat(5000) + "]")
                .hasSize(Problems.MAX_PROBLEMS + 1)
                .last()
                .asString()
                .endsWith(": error: and 4000 more");
    }

    @Test
    void load_file_isRead(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("p.yaml"), policy("limit: 5/s", "match: { tenant: jürgen😀 }"));
        assertThat(Policies.load(file).policies().get(0).match()).hasToString("{\"tenant\": \"jürgen😀\"}");
    }

    @Test
    void load_problem_namesTheFile(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("p.yaml"), "version: 2\npolicies: []\n");
        assertThatThrownBy(() -> Policies.load(file))
                .isInstanceOf(PolicyException.class)
                .hasMessage(file + ":1:10: error: version: \"2\" (expected: 1)");
    }

    @Test
    void load_notUtf8_isRefused(@TempDir Path dir) throws IOException {
        Path file = Files.write(dir.resolve("p.yaml"), "version: 1\n# é: ü".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> Policies.load(file))
                .isInstanceOf(PolicyException.class)
                .hasMessage(file + ":2:3: error: byte 0xe9 at offset 13 (expected: UTF-8)");
    }

    @Test
    void load_cutOffCharacter_isRefused(@TempDir Path dir) throws IOException {
        Path file = Files.write(dir.resolve("p.yaml"), new byte[] {'#', (byte) 0xc3});
        assertThatThrownBy(() -> Policies.load(file))
                .hasMessage(file + ":1:2: error: byte 0xc3 at offset 1 (expected: UTF-8)");
    }

    @Test
    void load_hugeFile_isRefused(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("p.yaml");
        Files.writeString(file, "#" + "😀".repeat(YamlText.MAX_CODE_POINTS + 100));
        assertThatThrownBy(() -> Policies.load(file))
                .isInstanceOf(PolicyException.class)
                .hasMessage(file + ":1:4194305: error: more than 4194304 characters (expected: at most 4194304)");
    }

    @Test
    void load_missingFile_isAnIoException(@TempDir Path dir) {
        assertThatThrownBy(() -> Policies.load(dir.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }
}
