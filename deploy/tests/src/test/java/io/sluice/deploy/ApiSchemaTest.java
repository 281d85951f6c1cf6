package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves that the schema finds mistakes, by mistakes in the real deployment and the real rules. */
class ApiSchemaTest {
    private static final Path DEPLOYMENT = Path.of("..", "kubernetes", "deployment.yaml");

    private static List<String> problems(String text) {
        return ApiObject.read(text).stream()
                .flatMap(object -> ApiSchema.problems(object).stream())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    selector:                 | selectors:              | spec.selectors: no such field of V1DeploymentSpec
                    httpGet: { path: /readyz  | httpget: { path: /readyz | spec.template.spec.containers[0].readinessProbe.httpget: no such field of V1Probe
                    secretKeyRef: { name      | secretKeyRef: { nam     | spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.nam: no such field of V1SecretKeySelector
                    drop: [ALL]               | dropped: [ALL]          | spec.template.spec.containers[0].securityContext.capabilities.dropped: no such field of V1Capabilities
                    containerPort: 8080       | port: 8080              | spec.template.spec.containers[0].ports[0]: containerPort is missing
                    - name: policies          | - nam: policies         | spec.template.spec.volumes[0]: name is missing
                    containerPort: 8080       | containerPort: "8080"   | spec.template.spec.containers[0].ports[0].containerPort: 8080 (expected: a whole number)
                    value: none               | value: off              | spec.template.spec.containers[0].env[3].value: false (expected: a text)
                    prometheus.io/port: "8080" | prometheus.io/port: 8080 | spec.template.metadata.annotations.prometheus.io/port: 8080 (expected: a text)
                    limits: { memory: 512Mi } | limits: { memory: 512MB } | spec.template.spec.containers[0].resources.limits.memory: 512MB (expected: a quantity)
                    args: [serve,             | args: [1,               | spec.template.spec.containers[0].args[0]: 1 (expected: a text)
                    emptyDir: {}              | emptyDir:               | spec.template.spec.volumes[1].emptyDir: is empty (expected: a value, or no such line)
                    type: RuntimeDefault      | type: runtimeDefault    | spec.template.spec.securityContext.seccompProfile.type: runtimeDefault (expected: one of
                    apiVersion: apps/v1       | apiVersion: apps/v1beta1 | apps/v1beta1 Deployment (expected: one of
                    name: sluice              | name: Sluice_1          | metadata.name: Sluice_1 (expected:
                    """)
    void deployment_withAMistake_isRefusedWithItsPath(String right, String wrong, String problem) throws IOException {
        String text = Files.readString(DEPLOYMENT);
        assertThat(text).contains(right);
        assertThat(problems(text)).isEmpty();

        String broken =
                text.substring(0, text.indexOf(right)) + wrong + text.substring(text.indexOf(right) + right.length());
        assertThat(problems(broken)).anySatisfy(found -> assertThat(found).startsWith(problem));
    }

    @Test
    void objectsOfThePrometheusOperator_withAMistake_areRefused() {
        assertThat(problems("""
                                apiVersion: monitoring.coreos.com/v1
                                kind: PrometheusRule
                                metadata: { name: sluice, labels: { release: "of prometheus" } }
                                spec:
                                  groups:
                                    - name: sluice
                                      rules: [{ alert: A, expression: up == 0 }]
                                """))
                .containsExactlyInAnyOrder(
                        "metadata.labels.release: of prometheus (expected: a label)",
                        "spec.groups[0].rules[0].expression: no such field of Rule");
    }
}
