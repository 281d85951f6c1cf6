package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The chart with its defaults and the plain manifests describe the same deployment. */
class ChartAndManifestsTest {
    /** Labels that only Helm has. */
    private static final Set<String> LABELS = Set.of(
            "app.kubernetes.io/instance", "app.kubernetes.io/version", "app.kubernetes.io/managed-by", "helm.sh/chart");

    /** What both say in other words, or what Kubernetes would add by itself. */
    private static Object normal(String name, Object node) {
        if (node instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(String.valueOf(key), normal(String.valueOf(key), value)));
            copy.keySet().removeAll(LABELS);
            copy.remove("imagePullPolicy", "IfNotPresent");
            copy.remove("type", "ClusterIP");
            if (name.equals("metadata")) {
                copy.remove("labels");
            }
            return copy;
        }
        if (node instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(one -> copy.add(normal(name, one)));
            if (name.equals("env")) {
                // The manifest has a place for a network that must be filled in; the chart has a value for it.
                copy.replaceAll(variable -> "SLUICE_TRUSTED_PROXIES".equals(Yaml.at(variable, "name"))
                        ? Map.of(
                                "name",
                                "SLUICE_TRUSTED_PROXIES",
                                "value",
                                ((String) Yaml.at(variable, "value")).replace(",192.0.2.0/24", ""))
                        : variable);
            }
            return copy;
        }
        return node;
    }

    private static Map<String, Object> byName(List<ApiObject> objects) {
        Map<String, Object> all = new TreeMap<>();
        objects.forEach(object -> all.put(object.toString(), normal("", object.content())));
        return all;
    }

    /** All of it: JVM, ports, probes, resources, security, network, scaling. */
    @Test
    void defaults_areTheManifests() throws IOException {
        Map<String, Object> chart = byName(Chart.render(List.of()));
        Object policies = Objects.requireNonNull(chart.remove("ConfigMap sluice-policies"));
        Map<String, Object> manifests = byName(ManifestsTest.objects());

        assertThat(chart.keySet()).isEqualTo(manifests.keySet());
        manifests.forEach((name, object) -> assertThat(chart.get(name)).as(name).isEqualTo(object));
        assertThat(Yaml.documents((String) Yaml.at(policies, "data", "policies.yaml")))
                .isEqualTo(Yaml.documents(Files.readString(ManifestsTest.DIRECTORY.resolve("policies.yaml"))));
    }

    /** The image has the options that fit the memory limit. Whoever replaced them in a manifest would have to do the sum again. */
    @Test
    void optionsOfTheJvm_areThoseOfTheImage() throws IOException {
        List<ApiObject> objects = new ArrayList<>(Chart.render(List.of()));
        objects.addAll(ManifestsTest.objects());
        List<Object> containers = objects.stream()
                .filter(object -> object.kind().equals("Deployment"))
                .map(object -> object.at("spec", "template", "spec", "containers", 0))
                .toList();
        assertThat(containers).hasSize(2).allSatisfy(container -> {
            assertThat(Yaml.map(container)).doesNotContainKey("command");
            assertThat(Yaml.list(Yaml.at(container, "env")).toString()).doesNotContain("JAVA");
            assertThat(Yaml.at(container, "resources", "limits", "memory")).isEqualTo("512Mi");
        });
    }
}
