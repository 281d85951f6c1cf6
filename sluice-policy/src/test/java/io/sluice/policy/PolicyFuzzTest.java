package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import io.sluice.policy.yaml.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Reading a broken file throws nothing but a PolicyException. The time for one file is not measured: it follows from
 * the bounds on text, depth, nodes and regular expressions, which have their own tests. The timeout here is for the
 * whole run.
 */
class PolicyFuzzTest {
    private static final int FILES = 10_000;

    private static final List<String> CORPUS = List.of(
            PolicyFileTest.EXAMPLE,
            """
            version: 1
            policies:
            - &base
              name: "quoted \\x41 name"
              limit: 'leaky-bucket 10/s capacity 20'
              match: {a: {regex: "(a{1,9}|b){2}"}, b: {cidr: [10.0.0.0/8, "2001:db8::/32"]}, c: {not: [x, "y*", "**"]}}
              key: [ip/64, path]
              overrides:
              - {name: one, match: {tenant: [a, b, c]}, limit: &l 1/s}
              - {name: two, match: {tenant: a}, limit: *l}
              mode: shadow
            - name: >-
                folded
              limit: |-
                5/s
              scope: process
              on-store-failure: local
            alerts:
            - {name: x, when: denied / total > 30%, over: 5m, at-least: 3, policy: folded, notify: [log, "https://a.b/c"]}
            """,
            "version: 1\npolicies: []\n",
            "{version: 1, policies: [{name: a, limit: unlimited, reserve: {share: 20%, for: {a: b}}}]}");

    private static final List<String> TOKENS = List.of(
            ": ",
            "- ",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ", ",
            "&a ",
            "*a",
            "*l",
            "*base",
            "<<: *base",
            "!",
            "!!str ",
            "!!map ",
            "!<x> ",
            "|\n",
            ">\n",
            "'",
            "\"",
            "\\",
            "%YAML 1.2\n",
            "%TAG ! x\n",
            "---\n",
            "...\n",
            "#",
            "\t",
            "\n",
            "\r",
            "\r\n",
            "@",
            "`",
            "\ufeff",
            "\u0085",
            "\u2028",
            "\0",
            "\ud83d",
            "😀",
            "null",
            "~",
            "true",
            "0x1F",
            "**",
            "{regex: (a{1000}){1000}}",
            "{regex: [}",
            "{not: ",
            "\"\\uD800\"",
            "99999999999999999999",
            "{cidr: ",
            "ip/129",
            "  ",
            "version: 1\n");

    @Test
    void parse_ofMutatedFiles_refusesOrReads() {
        int read = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            int count = 0;
            for (long seed = 0; seed < FILES; seed++) {
                count += reads(mutated(new Random(seed)), seed) ? 1 : 0;
            }
            return count;
        });
        // The mutations are useful only if they make valid and invalid files.
        assertThat(read).isBetween(FILES / 50, FILES / 2);
    }

    private static boolean reads(String yaml, long seed) {
        try {
            Policies policies = Policies.parse(yaml, "fuzz");
            assertThat(policies.warnings()).allMatch(PolicyFuzzTest::isOneShortLine);
            return true;
        } catch (PolicyException e) {
            assertThat(e.problems()).as("seed %s", seed).isNotEmpty().allMatch(PolicyFuzzTest::isOneShortLine);
            assertThat(e.problems())
                    .as("seed %s", seed)
                    .isSortedAccordingTo((a, b) -> new SourcePosition(a.line(), a.column())
                            .compareTo(new SourcePosition(b.line(), b.column())));
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ":\n" + yaml, e);
        }
    }

    private static boolean isOneShortLine(Problem problem) {
        return problem.line() >= 1
                && problem.column() >= 1
                && problem.message().length() < 4000
                && problem.message().chars().noneMatch(Character::isISOControl);
    }

    private static String mutated(Random random) {
        String text = CORPUS.get(random.nextInt(CORPUS.size()));
        for (int i = random.nextInt(4); i >= 0; i--) {
            text = mutatedOnce(text, random);
        }
        return text;
    }

    private static String mutatedOnce(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(20));
        return switch (random.nextInt(10)) {
            case 0 -> flipped(text, random);
            case 1 -> text.substring(0, at) + text.substring(end);
            case 2 -> text.substring(0, end) + text.substring(at);
            case 3, 4 -> text.substring(0, at) + TOKENS.get(random.nextInt(TOKENS.size())) + text.substring(at);
            case 5 -> text.substring(0, at) + TOKENS.get(random.nextInt(TOKENS.size())) + text.substring(end);
            case 6, 7 -> swapped(text, random);
            case 8 -> nested(text, at, random);
            default -> text.substring(0, at) + (char) random.nextInt(0x10000) + text.substring(at);
        };
    }

    private static String flipped(String text, Random random) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String swapped(String text, Random random) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        Collections.swap(lines, random.nextInt(lines.size()), random.nextInt(lines.size()));
        return String.join("\n", lines);
    }

    /** Files that are deep, or full of aliases, or very long. */
    private static String nested(String text, int at, Random random) {
        int size = 1 << random.nextInt(12);
        String inserted = switch (random.nextInt(5)) {
            case 0 -> "[".repeat(size) + "]".repeat(size);
            case 1 -> "{not: ".repeat(size) + "x" + "}".repeat(size);
            case 2 -> "\n" + "- ".repeat(size);
            case 3 -> bomb(random);
            default -> "x".repeat(size * 8);
        };
        return text.substring(0, at) + inserted + text.substring(at);
    }

    private static String bomb(Random random) {
        int width = 1 + random.nextInt(12);
        StringBuilder yaml = new StringBuilder("\nz0: &z0 [lol]\n");
        for (int i = 1; i < 12; i++) {
            yaml.append("z").append(i).append(": &z").append(i).append(" [");
            yaml.append(("*z" + (i - 1) + ", ").repeat(width)).append("]\n");
        }
        return yaml.toString();
    }

    private static final List<String> WORDS = List.of(
            "token-bucket",
            "leaky-bucket",
            "fixed-window",
            "sliding-log",
            "sliding-counter",
            "unlimited",
            "blocked",
            "10",
            "/",
            "s",
            "min",
            "per",
            "1m",
            "500ms",
            "burst",
            "refill",
            "greedy",
            "interval",
            "capacity",
            "from-first",
            "slots",
            "lockout",
            "0",
            "00",
            "-1",
            "9007199254740992",
            "999999999999999999",
            "99999999999999999999",
            "1e3",
            "٣",
            "\t",
            "\n",
            "😀",
            "\"",
            "x",
            "100001",
            "1d",
            "104249991d",
            "1ms");

    @Test
    void limit_ofRandomWords_isReadOrRefusedWithItsPosition() {
        for (long seed = 0; seed < 8_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(8); i >= 0; i--) {
                text.append(WORDS.get(random.nextInt(WORDS.size()))).append(random.nextInt(3) == 0 ? "" : " ");
            }
            check(text.toString(), seed);
        }
    }

    private static void check(String text, long seed) {
        String yaml = "version: 1\npolicies: [{name: p, limit: " + JsonText.quoted(text) + "}]\n";
        try {
            Limit limit = Limit.parse(text);
            Policy policy = Policies.parse(yaml, "fuzz").policies().get(0);
            assertThat(policy.limit()).as("seed %s", seed).isEqualTo(limit);
        } catch (LimitSyntaxException e) {
            SourcePosition place = refusal(yaml, seed);
            boolean literal = text.chars().noneMatch(c -> c == '"' || c == '\n' || c == '\t');
            int offset = text.codePointCount(0, Math.min(text.length(), e.column() - 1));
            int start = "policies: [{name: p, limit: ".length() + 1;
            int column = literal ? start + 1 + offset : start;
            assertThat(place).as("seed %s: %s", seed, text).isEqualTo(new SourcePosition(2, column));
        }
    }

    private static SourcePosition refusal(String yaml, long seed) {
        try {
            Policies.parse(yaml, "fuzz");
            throw new AssertionError("seed " + seed + " was read:\n" + yaml);
        } catch (PolicyException e) {
            assertThat(e.problems()).as("seed %s", seed).hasSize(1);
            return new SourcePosition(
                    e.problems().get(0).line(), e.problems().get(0).column());
        }
    }
}
