package io.sluice.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.OnFailure;
import io.sluice.policy.Charging;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.Scope;
import io.sluice.spring.SluiceSettingsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Policies in {@code application.yaml}, read as Spring Boot reads it: by YAML 1.1, flattened to properties. */
class PolicyPropertiesTest {
    private static void run(String yaml, Consumer<AssertableApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SluiceAutoConfiguration.class))
                .withInitializer(context -> sources(yaml)
                        .forEach(source ->
                                context.getEnvironment().getPropertySources().addLast(source)))
                .run(test::accept);
    }

    private static List<PropertySource<?>> sources(String yaml) {
        try {
            return new YamlPropertySourceLoader()
                    .load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Policy> policies(AssertableApplicationContext context) {
        return context.getBean(PolicyEngine.class).policies().policies();
    }

    /** To YAML 1.1, off is a boolean. */
    @Test
    void mode_off_isNotFalse() {
        run(
                """
                sluice:
                  policies:
                    - { name: a, limit: 1/h, mode: off }
                    - { name: b, limit: 1/h, mode: shadow }
                """,
                context ->
                        assertThat(policies(context)).extracting(Policy::mode).containsExactly(Mode.OFF, Mode.SHADOW));
    }

    /** To YAML 1.1, these are false, 7, 750, 1000 and true. In a policy file, they are texts. */
    @Test
    void scalars_areWhatIsWritten_asInAPolicyFile() {
        String policies = """
                - name: plain
                  limit: 1/h
                  match:
                    country: NO
                    agent: 007
                    at: 12:30   # a comment
                    size: 1_000
                    beta: true
                    ratio: 1.10
                - { name: flow, limit: 1/h, match: { country: [no,Y, 0x1F], agent: { not: 010 } } }
                """;
        run("sluice:\n  policies:\n" + policies.indent(4), context -> {
            Policies file = Policies.parse("version: 1\npolicies:\n" + policies, "policies.yaml");
            assertThat(policies(context))
                    .extracting(Policy::match)
                    .containsExactlyElementsOf(
                            file.policies().stream().map(Policy::match).toList());
            assertThat(context.getBean(PolicyEngine.class)
                            .check(Map.of(
                                    "country", "NO", "agent", "007", "at", "12:30", "size", "1_000", "beta", "true",
                                    "ratio", "1.10"))
                            .results())
                    .hasSize(1);
        });
    }

    /** Sources other than files of text have no other text. */
    @Test
    void scalars_withoutAPlaceInAText_areTheirValues() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SluiceAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "values",
                                Map.of(
                                        "sluice.policies[0].name",
                                        "a",
                                        "sluice.policies[0].limit",
                                        "1/h",
                                        "sluice.policies[0].match.beta",
                                        true,
                                        "sluice.policies[0].match.size",
                                        7,
                                        "sluice.policies[0].mode",
                                        false))))
                .run(context -> {
                    Policy policy = policies(context).get(0);
                    assertThat(policy.mode()).isEqualTo(Mode.OFF);
                    assertThat(policy.match()).hasToString("{\"beta\": \"true\", \"size\": \"7\"}");
                });
    }

    @Test
    void emptyLists_areAsIfAbsent() {
        run("""
                sluice:
                  policies:
                    - { name: a, limit: 1/h, key: [], match: {}, overrides: [] }
                """, context -> {
            assertThat(policies(context)).hasSize(1);
            assertThat(policies(context).get(0).key()).isEmpty();
            assertThat(policies(context).get(0).overrides()).isEmpty();
        });
    }

    @Test
    void emptyPolicies_areNone() {
        run("""
                sluice:
                  policies: []
                  alerts: []
                """, context -> assertThat(policies(context)).isEmpty());
    }

    @Test
    void emptyPolicies_besideAFile_areNotRefused() {
        run(
                """
                sluice:
                  config: classpath:io/sluice/spring/autoconfigure/policies.yaml
                  policies: []
                """,
                context ->
                        assertThat(policies(context)).extracting(Policy::name).containsExactly("from-file"));
    }

    @Test
    void placeholders_areResolved() {
        run(
                """
                orders.limit: 7/h
                sluice:
                  policies:
                    - { name: a, limit: "${orders.limit}" }
                """,
                context ->
                        assertThat(policies(context).get(0).limit().toString()).isEqualTo("token-bucket 7/h"));
    }

    @Test
    void placeholder_thatIsNotSet_isRefusedWithTheProperty() {
        run(
                "sluice.policies: [{ name: a, limit: \"${orders.limit}\" }]\n",
                context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("sluice.policies[0].limit (")
                        .hasMessageContaining("${orders.limit}"));
    }

    @Test
    void match_withDotsAndOperators_isRead() {
        run(
                """
                sluice:
                  policies:
                    - name: a
                      limit: 1/h
                      match:
                        header.X-Plan: [free, trial]
                        ip: { not-cidr: 10.0.0.0/8 }
                        query.page_size: x
                        "[query.a/b]": x
                """,
                context -> assertThat(
                                policies(context).get(0).match().conditions().keySet())
                        .containsExactlyInAnyOrder("header.X-Plan", "ip", "query.page_size", "query.a/b"));
    }

    /** Spring Boot accepts names without dashes, and words in capital letters. */
    @Test
    void names_inCamelCase_andWordsInCapitals_areRead() {
        run("""
                sluice:
                  policies:
                    - name: a
                      limit: 1/h
                      onStoreFailure: LOCAL
                      scope: PROCESS
                      charge: ALWAYS
                      mode: SHADOW
                      match:
                        ip: { notCidr: 10.0.0.0/8 }
                        header.X-Real-Ip: { not_cidr: 10.0.0.0/8 }
                """, context -> {
            Policy policy = policies(context).get(0);
            assertThat(policy.mode()).isEqualTo(Mode.SHADOW);
            assertThat(policy.onStoreFailure()).isEqualTo(OnFailure.LOCAL);
            assertThat(policy.scope()).isEqualTo(Scope.PROCESS);
            assertThat(policy.charge()).isEqualTo(Charging.ALWAYS);
            assertThat(policy.match())
                    .hasToString("{\"header.X-Real-Ip\": {not: {cidr: 10.0.0.0/8}}, \"ip\": {not: {cidr:"
                            + " 10.0.0.0/8}}}");
        });
    }

    /** As a part of the attribute's name, it would make a policy that never applies. */
    @Test
    void operator_misspelt_isRefused() {
        for (String misspelt :
                List.of("cdir: 10.0.0.0/8", "regexp: x", "not-cdr: 10.0.0.0/8", "cidr: 10.0.0.0/8, x: y")) {
            run(
                    "sluice.policies: [{ name: a, limit: 1/h, match: { ip: { " + misspelt + " } } }]\n",
                    context -> assertThat(context.getStartupFailure())
                            .as(misspelt)
                            .rootCause()
                            .isInstanceOf(SluiceSettingsException.class)
                            .hasMessageContaining("sluice.policies[0].match.ip")
                            .hasMessageContaining("not-cidr"));
        }
    }

    @Test
    void attribute_namedLikeAnOperator_isAHeader() {
        run(
                """
                sluice:
                  policies:
                    - { name: a, limit: 1/h, match: { header.Regexp: x, query.cdir: y } }
                """,
                context -> assertThat(
                                policies(context).get(0).match().conditions().keySet())
                        .containsExactlyInAnyOrder("header.Regexp", "query.cdir"));
    }
}
