package io.sluice.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.Limit;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Charging;
import io.sluice.policy.KeyPart;
import io.sluice.policy.Mode;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Problem;
import io.sluice.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvoyConfigTest {
    private static final String RATE = "{unit: second, requests_per_unit: 1}";

    @TempDir
    Path directory;

    private static EnvoyConfig parse(String yaml) {
        return EnvoyConfig.parse(Map.of("test.yaml", yaml));
    }

    /** A domain with one descriptor of the key k, whose other fields are in line 3. */
    private static String descriptor(String fields) {
        return "domain: d\ndescriptors:\n- {key: k, " + fields + "}\n";
    }

    private static String rate(String fields) {
        return descriptor("rate_limit: {" + fields + "}");
    }

    private static ListAssert<String> assertRefused(Map<String, String> files) {
        PolicyException refused = catchThrowableOfType(PolicyException.class, () -> EnvoyConfig.parse(files));
        assertThat(refused).as("refusal of:%n%s", files).isNotNull();
        assertThat(refused.problems()).allMatch(problem -> problem.severity() == Problem.Severity.ERROR);
        return assertThat(refused.problems().stream().map(Problem::toString).toList());
    }

    private static ListAssert<String> assertRefused(String yaml) {
        return assertRefused(Map.of("test.yaml", yaml));
    }

    private static Policy only(String yaml) {
        List<Policy> policies = parse(yaml).policies().policies();
        assertThat(policies).hasSize(1);
        return policies.get(0);
    }

    private static EnvoyMatch match(EnvoyConfig config, String... entries) {
        List<EnvoyEntry> descriptor = new ArrayList<>();
        for (int i = 0; i < entries.length; i += 2) {
            descriptor.add(new EnvoyEntry(entries[i], entries[i + 1]));
        }
        return config.match("d", descriptor).orElseThrow();
    }

    @Test
    void policies_oneForEachRule_namedByItsPath() {
        EnvoyConfig config = parse("""
                domain: messaging
                descriptors:
                - key: message_type
                  value: marketing
                  rate_limit: {unit: hour, requests_per_unit: 7, name: shown}
                  descriptors:
                  - {key: to_number, rate_limit: {unit: day, requests_per_unit: 5}}
                - {key: to_number, value: "206*", shadow_mode: true, rate_limit: {unlimited: true}}
                """);
        assertThat(config.domains()).containsExactly("messaging");
        assertThat(config.policies().policies())
                .extracting(Policy::name)
                .containsExactly(
                        "messaging/message_type=marketing",
                        "messaging/message_type=marketing,to_number",
                        "messaging/to_number=206*");
        assertThat(config.policies().policies())
                .extracting(policy -> policy.limit().toString())
                .containsExactly("fixed-window 7/h", "fixed-window 5/d", "unlimited");
        assertThat(config.policies().policies())
                .extracting(Policy::mode)
                .containsExactly(Mode.ENFORCE, Mode.ENFORCE, Mode.SHADOW);
        assertThat(config.policies().policies().get(1).key())
                .containsExactly(new KeyPart("2:to_number", KeyPart.WHOLE));
    }

    @Test
    void match_returnsTheRuleAndTheOpenValues() {
        EnvoyConfig config = parse("""
                domain: d
                descriptors:
                - key: a
                  value: x
                  descriptors:
                  - key: b
                    value: "y*"
                    descriptors:
                    - key: c
                      rate_limit: {unit: Week, requests_per_unit: 5, name: n, replaces: [{name: m}]}
                - {key: m, value: s*, share_threshold: on, rate_limit: {unlimited: yes, name: m}}
                """);
        EnvoyMatch match = match(config, "a", "x", "b", "yy", "c", "");
        assertThat(match.rule())
                .isEqualTo(new EnvoyRule("d/a=x,b=y*,c", "n", List.of("m"), 5, EnvoyUnit.WEEK))
                .returns(false, EnvoyRule::unlimited);
        assertThat(match.attributes()).isEqualTo(Map.of(EnvoyConfig.RULE, "d/a=x,b=y*,c", "2:b", "yy", "3:c", ""));
        assertThat(match(config, "m", "same").rule())
                .isEqualTo(new EnvoyRule("d/m=s*", "m", List.of(), 0, null))
                .returns(true, EnvoyRule::unlimited);
        assertThat(match(config, "m", "same").attributes()).isEqualTo(Map.of(EnvoyConfig.RULE, "d/m=s*"));
        assertThat(config.match("d", List.of())).isEmpty();
        assertThat(config.match("e", List.of(new EnvoyEntry("m", "same")))).isEmpty();
    }

    @Test
    void names_ofDifferentRulesDiffer_andArePrintableAndShort() {
        String odd = "\"/,=\\\\#é\\n😀\"";
        List<String> texts = List.of("a", "a=b", "a,b", "b,c=a", "'#'", "a\\", odd, "x".repeat(99), "x".repeat(150));
        for (String domain : texts) {
            StringBuilder yaml = new StringBuilder("domain: " + domain + "\ndescriptors:\n");
            for (String key : texts) {
                yaml.append("- {key: ").append(key.startsWith("\"") ? key : "'" + key.replace("'", "") + "'");
                yaml.append(", rate_limit: " + RATE + ", descriptors: [");
                for (String value : texts) {
                    yaml.append("{key: b, rate_limit: " + RATE + ", value: ")
                            .append(value.startsWith("\"") ? value : "'" + value.replace("'", "") + "'")
                            .append("}, ");
                }
                yaml.append("]}\n");
            }
            // The constructor of Policies checks that no two names are equal.
            List<Policy> policies = parse(yaml.toString()).policies().policies();
            assertThat(policies).hasSize(texts.size() * (texts.size() + 1));
            assertThat(policies).allSatisfy(policy -> assertThat(policy.name()).matches("[ -~]{1,100}"));
        }
    }

    @Test
    void name_doesNotDependOnTheLimitOrOnOtherRules() {
        String name = only(rate("unit: day, requests_per_unit: 5")).name();
        assertThat(only(rate("unit: hour, requests_per_unit: 6, name: x, algorithm: token-bucket"))
                        .name())
                .isEqualTo(name);
        assertThat(only(rate("unlimited: true")).name()).isEqualTo(name);
    }

    @Test
    void replace_withAnotherLimit_keepsWhatWasUsed() {
        ManualTime time = new ManualTime();
        EnvoyConfig config = parse(rate("unit: day, requests_per_unit: 5"));
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(config.policies())
                .store(MemoryStore.builder().time(time).build())
                .time(time)
                .build()) {
            engine.check(match(config, "k", "v").attributes(), 3);
            EnvoyConfig next = parse(rate("unit: day, requests_per_unit: 7"));
            engine.replace(next.policies());
            assertThat(engine.check(match(next, "k", "v").attributes())
                            .results()
                            .get(0)
                            .decision()
                            .remaining())
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "second, 1s",
        "MINUTE, 1min",
        "Hour, 1hour",
        "day, 1day",
        "week, 7d",
        "month, 30d",
        "year, 365d",
    })
    void unit_isAFixedTime(String unit, String duration) {
        assertThat(only(rate("unit: " + unit + ", requests_per_unit: 8")).limit())
                .isEqualTo(Limit.parse("fixed-window 8 per " + duration));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed-window", "sliding-counter", "token-bucket", "leaky-bucket"})
    void everyAlgorithm_takesTheMostRequestsInEveryUnit(String algorithm) {
        for (EnvoyUnit unit : EnvoyUnit.values()) {
            Limit limit = only(rate("unit: " + unit + ", requests_per_unit: 4294967295, algorithm: " + algorithm))
                    .limit();
            assertThat(limit.algorithm()).hasToString(algorithm);
            assertThat(limit.capacity()).isEqualTo(4294967295L);
            assertThat(limit.refillTime()).isEqualTo(unit.duration());
        }
    }

    @ParameterizedTest
    @EnumSource(EnvoyUnit.class)
    void slidingLog_ofTooMany_isRefused(EnvoyUnit unit) {
        assertThat(only(rate("unit: " + unit + ", requests_per_unit: 100, algorithm: sliding-log"))
                        .limit())
                .isEqualTo(Limit.slidingLog(100, unit.duration()));
        assertRefused(rate("unit: " + unit + ", requests_per_unit: 100001, algorithm: sliding-log"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:3:24: error: rate_limit: ")
                .contains("100001", "expected: ", "sliding-counter");
    }

    @Test
    void zeroRequests_isBlocked_andUnlimitedIsUnlimited() {
        assertThat(only(rate("unit: day, requests_per_unit: 0, algorithm: token-bucket"))
                        .limit())
                .isEqualTo(Limit.blocked());
        assertThat(only(rate("unlimited: true")).limit()).isEqualTo(Limit.unlimited());
        assertThat(only(rate("unlimited: false, unit: day, requests_per_unit: 1"))
                        .limit())
                .isEqualTo(Limit.parse("fixed-window 1/day"));
    }

    @Test
    void fields_forStatisticsOnly_areAccepted() {
        assertThat(only(descriptor("rate_limit: " + RATE
                        + ", detailed_metric: true, value_to_metric: true, share_threshold: false, quota_mode: false,"
                        + " metadata: {any: [thing, {at: all}]}")))
                .isEqualTo(only(descriptor("rate_limit: " + RATE)));
    }

    @Test
    void emptyField_isLikeAnAbsentField() {
        assertThat(parse("domain: d\ndescriptors:\n").policies().policies()).isEmpty();
        assertThat(parse("---\ndomain: d\n").domains()).containsExactly("d");
        EnvoyConfig config =
                parse(descriptor("value: , descriptors: ~, shadow_mode: , rate_limit: {name: '', replaces: ,"
                        + " unit: day, requests_per_unit: 1}"));
        assertThat(match(config, "k", "anything").rule().name()).isNull();
    }

    @Test
    void suspiciousFields_warn() {
        assertThat(parse("""
                                domain: d
                                descriptors:
                                - {key: a, rate_limit: , shadow_mode: true}
                                - {key: b, rate_limit: {unlimited: true, requests_per_unit: 5, replaces: [{name: nobody}]}}
                                """).policies().warnings().stream().map(Problem::toString))
                .containsExactly(
                        "test.yaml:3:23: warning: rate_limit: nothing, so there is no limit (expected: a mapping)",
                        "test.yaml:3:39: warning: shadow_mode: has no effect, because there is no rate_limit",
                        "test.yaml:4:61: warning: requests_per_unit: has no effect, because it is unlimited",
                        "test.yaml:4:82: warning: name: \"nobody\" is not the name of a rate_limit of this domain, so nothing"
                                + " is replaced");
    }

    @Test
    void unknownFields_areRefusedWithASuggestion() {
        assertRefused("""
                        domain: d
                        domains: e
                        descriptors:
                        - key: a
                          ratelimit: {unit: second}
                          unit: second
                          rate_limit: {unit: second, request_per_unit: 5, shadow_mode: true}
                          replaces: [{name: x}]
                        """)
                .containsExactly(
                        "test.yaml:2:1: error: unknown field \"domains\" (expected: one of domain, descriptors; did you mean"
                                + " domain?)",
                        "test.yaml:5:3: error: unknown field \"ratelimit\" (expected: one of key, value, rate_limit,"
                                + " descriptors, shadow_mode, share_threshold, detailed_metric, value_to_metric,"
                                + " quota_mode, metadata, charge; did you mean rate_limit?)",
                        "test.yaml:6:3: error: unknown field \"unit\" (expected: one of key, value, rate_limit, descriptors,"
                                + " shadow_mode, share_threshold, detailed_metric, value_to_metric, quota_mode, metadata, charge)",
                        "test.yaml:7:15: error: requests_per_unit: missing (expected: a whole number of 0 to 4294967295)",
                        "test.yaml:7:30: error: unknown field \"request_per_unit\" (expected: one of unit,"
                                + " requests_per_unit, unlimited, name, replaces, algorithm, charge; did you mean"
                                + " requests_per_unit?)",
                        "test.yaml:7:51: error: unknown field \"shadow_mode\" (expected: one of unit, requests_per_unit,"
                                + " unlimited, name, replaces, algorithm, charge)",
                        "test.yaml:8:3: error: unknown field \"replaces\" (expected: one of key, value, rate_limit,"
                                + " descriptors, shadow_mode, share_threshold, detailed_metric, value_to_metric,"
                                + " quota_mode, metadata, charge)");
    }

    @Test
    void charge_inTheDescriptorOrItsLimit_isThatOfThePolicy() {
        assertThat(only(rate("unit: year, requests_per_unit: 100")).charge()).isEqualTo(Charging.ADMITTED);
        assertThat(only(rate("unit: year, requests_per_unit: 100, charge: always"))
                        .charge())
                .isEqualTo(Charging.ALWAYS);
        assertThat(only("""
                                domain: d
                                descriptors: [{key: a, charge: always, rate_limit: {unit: year, requests_per_unit: 100}}]
                                """).charge()).isEqualTo(Charging.ALWAYS);
        assertRefused("""
                        domain: d
                        descriptors:
                        - {key: a, charge: admitted, rate_limit: {unit: year, requests_per_unit: 100, charge: always}}
                        - {key: b, charge: sometimes, rate_limit: {unit: year, requests_per_unit: 100}}
                        - {key: c, rate_limit: {unlimited: true, charge: always}}
                        """)
                .containsExactly(
                        "test.yaml:3:20: error: charge: \"admitted\" (expected: the same as in rate_limit, or only one of"
                                + " them)",
                        "test.yaml:4:20: error: charge: \"sometimes\" (expected: admitted or always)",
                        "test.yaml:5:50: error: charge: \"always\" (expected: none, because it is unlimited)");
    }

    @Test
    void badValues_areAllRefusedWithTheirPositions() {
        assertRefused("""
                        domain: ""
                        descriptors:
                        - x
                        - value: v
                        - key: ""
                        - {key: [a], value: {b: c}, rate_limit: 5, descriptors: 6, shadow_mode: maybe}
                        - {key: a, rate_limit: {unit: unknown, requests_per_unit: -1, algorithm: tokenbucket}}
                        - {key: b, rate_limit: {unit: day, requests_per_unit: 4294967296}}
                        - {key: c, rate_limit: {}}
                        - {key: d, rate_limit: {unlimited: true, unit: day, algorithm: token-bucket}}
                        - {key: e, share_threshold: true, value: e}
                        - {key: f, quota_mode: true}
                        - {key: g, rate_limit: {name: n, replaces: [{name: n}, {name: ""}, m, {}], unlimited: true}}
                        """)
                .containsExactly(
                        "test.yaml:1:9: error: domain: \"\" (expected: the name of a domain)",
                        "test.yaml:3:3: error: descriptor: \"x\" (expected: a mapping with key, value, rate_limit,"
                                + " descriptors, shadow_mode, share_threshold, detailed_metric, value_to_metric,"
                                + " quota_mode, metadata, charge)",
                        "test.yaml:4:3: error: key: missing (expected: a key, not empty)",
                        "test.yaml:5:8: error: key: \"\" (expected: a key, not empty)",
                        "test.yaml:6:9: error: key: a list (expected: a key, not empty)",
                        "test.yaml:6:21: error: value: a mapping (expected: a text, perhaps with *)",
                        "test.yaml:6:41: error: rate_limit: \"5\" (expected: a mapping with unit, requests_per_unit,"
                                + " unlimited, name, replaces, algorithm, charge)",
                        "test.yaml:6:57: error: descriptors: \"6\" (expected: a list of descriptors)",
                        "test.yaml:6:73: error: shadow_mode: \"maybe\" (expected: true or false)",
                        "test.yaml:7:31: error: unit: \"unknown\" (expected: second, minute, hour, day, week, month or"
                                + " year)",
                        "test.yaml:7:59: error: requests_per_unit: \"-1\" (expected: a whole number of 0 to 4294967295)",
                        "test.yaml:7:74: error: algorithm: \"tokenbucket\" (expected: one of fixed-window,"
                                + " sliding-counter, sliding-log, token-bucket, leaky-bucket)",
                        "test.yaml:8:55: error: requests_per_unit: \"4294967296\" (expected: a whole number of 0 to"
                                + " 4294967295)",
                        "test.yaml:9:24: error: unit: missing (expected: second, minute, hour, day, week, month or year)",
                        "test.yaml:9:24: error: requests_per_unit: missing (expected: a whole number of 0 to 4294967295)",
                        "test.yaml:10:48: error: unit: \"day\" (expected: none, because it is unlimited)",
                        "test.yaml:10:64: error: algorithm: \"token-bucket\" (expected: none, because it is unlimited)",
                        "test.yaml:11:29: error: share_threshold: \"true\" (expected: only with a value that has a *)",
                        "test.yaml:12:24: error: quota_mode: \"true\" (expected: false; quotas for routing are not"
                                + " supported)",
                        "test.yaml:13:52: error: name: \"n\" (expected: the name of another rate_limit)",
                        "test.yaml:13:63: error: name: \"\" (expected: the name of another rate_limit)",
                        "test.yaml:13:68: error: replaces: \"m\" (expected: a mapping with name)",
                        "test.yaml:13:71: error: name: missing (expected: the name of another rate_limit)");
    }

    @Test
    void duplicates_areRefused() {
        assertRefused(Map.of("a.yaml", """
                        domain: d
                        descriptors:
                        - key: a
                        - {key: a, value: b}
                        - {key: b, value: a}
                        - {key: a, value: b, rate_limit: {unlimited: true}}
                        - {key: b, descriptors: [{key: a, value: "x*"}, {key: a}, {key: a, value: "x*"}]}
                        - key: a
                        """, "b.yaml", "descriptors: []\ndomain: d\n", "c.yaml", "domain: e\n"))
                .containsExactly(
                        "a.yaml:6:3: error: descriptor: key \"a\" with value \"b\" a second time (expected: once in a list;"
                                + " the first is in line 4)",
                        "a.yaml:7:59: error: descriptor: key \"a\" with value \"x*\" a second time (expected: once in a"
                                + " list; the first is in line 7)",
                        "a.yaml:8:3: error: descriptor: key \"a\" without a value a second time (expected: once in a list;"
                                + " the first is in line 3)",
                        "b.yaml:2:9: error: domain: \"d\" a second time (expected: every domain in one file; the first is"
                                + " in a.yaml:1)");
    }

    @Test
    void files_notYaml_areRefusedWithAllProblems() {
        assertRefused(Map.of("a.yaml", "domain: [", "b.yaml", "", "c.yaml", "- x\n", "d.yaml", "descriptors: []\n"))
                .satisfiesExactly(
                        a -> assertThat(a).startsWith("a.yaml:1:10: error: not YAML: "),
                        b -> assertThat(b)
                                .isEqualTo(
                                        "b.yaml:1:1: error: nothing (expected: a mapping with domain and descriptors)"),
                        c -> assertThat(c)
                                .isEqualTo(
                                        "c.yaml:1:1: error: file: a list (expected: a mapping with domain, descriptors)"),
                        d -> assertThat(d)
                                .isEqualTo("d.yaml:1:1: error: domain: missing (expected: the name of a domain)"));
    }

    @Test
    void load_readsTheYamlFilesOfADirectoryAndNothingElse() throws IOException {
        Files.writeString(directory.resolve("b.yml"), "domain: b\n");
        Files.writeString(directory.resolve("a.yaml"), "domain: a\n");
        for (String other : List.of("README.md", ".hidden.yaml", "c.yaml~", "d.json")) {
            Files.writeString(directory.resolve(other), "[");
        }
        Files.writeString(
                Files.createDirectories(directory.resolve("inner.yaml")).resolve("e.yaml"), "domain: e\n");
        assertThat(EnvoyConfig.load(directory).domains()).containsExactly("a", "b");
    }

    @Test
    void load_ofBadFilesOrNone_isRefused() throws IOException {
        assertThatThrownBy(() -> EnvoyConfig.load(directory))
                .isInstanceOf(PolicyException.class)
                .hasMessage(directory + ":1:1: error: no files (expected: *.yaml or *.yml)");
        Path file = Files.write(directory.resolve("a.yaml"), new byte[] {'a', (byte) 0xff});
        assertThatThrownBy(() -> EnvoyConfig.load(directory))
                .isInstanceOf(PolicyException.class)
                .hasMessage(file + ":1:2: error: byte 0xff at offset 1 (expected: UTF-8)");
        assertThatThrownBy(() -> EnvoyConfig.load(file)).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> EnvoyConfig.load(directory.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    private static final String CORPUS = """
            domain: messaging
            descriptors:
            - key: message_type
              value: &v marketing
              shadow_mode: true
              descriptors:
              - {key: to_number, value: "20*6", share_threshold: true, rate_limit: &r {unit: day, requests_per_unit: 5}}
              - {key: to_number, rate_limit: *r, metadata: {a: [b]}}
            - key: to_number
              rate_limit: {unit: month, requests_per_unit: 100, name: n, algorithm: sliding-log}
            - {key: other, value: *v, rate_limit: {unlimited: true, replaces: [{name: n}]}}
            """;
    private static final List<String> TOKENS = List.of(
            ": ",
            "- ",
            "[",
            "]",
            "{",
            "}",
            ", ",
            "*r",
            "*v",
            "&v ",
            "'",
            "\"",
            "\\",
            "#",
            "\n",
            "\t",
            "\0",
            "~",
            "null",
            "true",
            "no",
            "-1",
            "0",
            "99999999999",
            "*",
            "**",
            "key: x",
            "value: y",
            "descriptors: ",
            "rate_limit: ",
            "unit: ",
            "name: ",
            "algorithm: token-bucket",
            "😀",
            "\ud83d",
            "x".repeat(300),
            "---\n",
            "!!str ",
            "  ");

    @Test
    void parse_ofMutatedFiles_refusesOrReads() {
        int read = 0;
        for (long seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            String yaml = CORPUS;
            for (int i = random.nextInt(3); i >= 0; i--) {
                int at = random.nextInt(yaml.length() + 1);
                int end = Math.min(yaml.length(), at + random.nextInt(12));
                String token = random.nextInt(3) == 0 ? "" : TOKENS.get(random.nextInt(TOKENS.size()));
                yaml = yaml.substring(0, at) + token + yaml.substring(random.nextBoolean() ? at : end);
            }
            read += reads(yaml, seed) ? 1 : 0;
        }
        assertThat(read).as("the mutator is of use only if it makes both").isBetween(250, 4_000);
    }

    private static boolean reads(String yaml, long seed) {
        try {
            EnvoyConfig config = parse(yaml);
            assertThat(config.policies().policies())
                    .as("seed %s", seed)
                    .allSatisfy(policy -> assertThat(policy.name()).matches("[ -~]{1,100}"));
            config.matchAll("messaging", List.of(List.of(new EnvoyEntry("to_number", "1"))));
            return true;
        } catch (PolicyException e) {
            assertThat(e.problems().stream().map(Problem::message).collect(Collectors.joining()))
                    .as("seed %s", seed)
                    .isNotEmpty();
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ":\n" + yaml, e);
        }
    }
}
