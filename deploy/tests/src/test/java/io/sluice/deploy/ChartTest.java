package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.LintResult;
import io.sluice.deploy.ValueSets.ValueSet;
import io.sluice.server.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart, rendered with several sets of values. */
class ChartTest {
    static List<ValueSet> sets() {
        return ValueSets.all();
    }

    private static List<String> names(List<ApiObject> objects) {
        return objects.stream().map(ApiObject::toString).toList();
    }

    private static ApiObject deployment(List<ApiObject> objects) {
        return objects.stream()
                .filter(object -> object.kind().equals("Deployment"))
                .findAny()
                .orElseThrow();
    }

    private static Object container(List<ApiObject> objects) {
        return deployment(objects).at("spec", "template", "spec", "containers", 0);
    }

    @Test
    void lint_findsNothing() {
        LintResult result = Chart.helm().lint().strict().call();

        assertThat(result.getMessages())
                .noneSatisfy(message -> assertThat(message).containsAnyOf("WARN", "ERROR"));
        assertThat(result.isFailed()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("sets")
    void everyObject_isOneOfTheApi(ValueSet values) {
        List<ApiObject> objects = values.render();

        assertThat(names(objects)).doesNotHaveDuplicates();
        assertThat(objects)
                .allSatisfy(object -> assertThat(ApiSchema.problems(object))
                        .as(object.toString())
                        .isEmpty());
    }

    @Test
    void objects_areThoseThatTheValuesAskFor() {
        assertThat(names(Chart.render(List.of())))
                .containsExactlyInAnyOrder(
                        "Deployment sluice",
                        "Service sluice",
                        "Service sluice-grpc",
                        "ConfigMap sluice-policies",
                        "HorizontalPodAutoscaler sluice",
                        "PodDisruptionBudget sluice",
                        "NetworkPolicy sluice");
        assertThat(names(ValueSets.named("everything-off").render()))
                .containsExactlyInAnyOrder("Deployment sluice", "Service sluice");
        assertThat(names(ValueSets.named("everything-on").render()))
                .containsExactlyInAnyOrder(
                        "Deployment sluice-limits",
                        "Service sluice-limits",
                        "Service sluice-limits-grpc",
                        "ConfigMap sluice-limits-policies",
                        "Secret sluice-limits-credentials",
                        "HorizontalPodAutoscaler sluice-limits",
                        "PodDisruptionBudget sluice-limits",
                        "NetworkPolicy sluice-limits",
                        "ServiceMonitor sluice-limits",
                        "PrometheusRule sluice-limits");
        assertThat(names(ValueSets.named("memory-persistent").render()))
                .containsExactlyInAnyOrder(
                        "Deployment sluice",
                        "Service sluice",
                        "Service sluice-grpc",
                        "ConfigMap sluice-policies",
                        "PersistentVolumeClaim sluice-data",
                        "NetworkPolicy sluice");
    }

    @ParameterizedTest
    @MethodSource("sets")
    void selectors_findThePods_andPortsHaveTheNamesOfTheContainer(ValueSet values) {
        List<ApiObject> objects = values.render();
        Map<String, Object> labels = Yaml.map(deployment(objects).at("spec", "template", "metadata", "labels"));
        Set<Object> ports = new TreeSet<>();
        Yaml.list(Yaml.at(container(objects), "ports")).forEach(port -> ports.add(Yaml.at(port, "name")));

        int selectors = 0;
        for (ApiObject object : objects) {
            List<Object[]> paths = List.of(
                    new Object[] {"spec", "selector", "matchLabels"},
                    new Object[] {"spec", "podSelector", "matchLabels"},
                    new Object[] {"spec", "selector"});
            for (Object[] path : paths) {
                Object selector = Yaml.find(object.content(), path);
                if (selector != null && !Yaml.map(selector).containsKey("matchLabels")) {
                    assertThat(labels).as(object.toString()).containsAllEntriesOf(Yaml.map(selector));
                    selectors++;
                }
            }
            if (object.kind().equals("Service")) {
                for (Object port : Yaml.list(object.at("spec", "ports"))) {
                    assertThat(ports).contains(Yaml.at(port, "targetPort"));
                }
            }
        }
        assertThat(selectors).isGreaterThanOrEqualTo(2);
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(ports).contains(Yaml.at(container(objects), probe, "httpGet", "port"));
        }
    }

    @ParameterizedTest
    @MethodSource("sets")
    void volumesAndSecretsOfTheChart_areThere(ValueSet values) {
        List<ApiObject> objects = values.render();
        Object pod = deployment(objects).at("spec", "template", "spec");
        Set<Object> volumes = new TreeSet<>();
        List<String> needed = new ArrayList<>();
        for (Object volume : Yaml.list(Yaml.at(pod, "volumes"))) {
            volumes.add(Yaml.at(volume, "name"));
            Object map = Yaml.find(volume, "configMap", "name");
            Object claim = Yaml.find(volume, "persistentVolumeClaim", "claimName");
            if (map != null) {
                needed.add("ConfigMap " + map);
            }
            if (claim != null) {
                needed.add("PersistentVolumeClaim " + claim);
            }
        }
        for (Object mount : Yaml.list(Yaml.at(container(objects), "volumeMounts"))) {
            assertThat(volumes).contains(Yaml.at(mount, "name"));
        }
        for (Object variable : Yaml.list(Yaml.at(container(objects), "env"))) {
            Object secret = Yaml.find(variable, "valueFrom", "secretKeyRef", "name");
            if (secret != null) {
                needed.add("Secret " + secret);
            }
        }
        needed.removeAll(List.of("ConfigMap policies-of-mine", "Secret sluice", "Secret resp"));
        assertThat(names(objects)).containsAll(needed);
    }

    /** The variables of the container with the texts of the chart's own secrets, and a text for those of others. */
    private static Map<String, String> variables(List<ApiObject> objects) {
        Map<String, String> variables = new HashMap<>(Map.of("SLUICE_HOST", "0.0.0.0"));
        for (Object variable : Yaml.list(Yaml.at(container(objects), "env"))) {
            String name = (String) Yaml.at(variable, "name");
            Object value = Yaml.find(variable, "value");
            if (value == null) {
                String secret = (String) Yaml.at(variable, "valueFrom", "secretKeyRef", "name");
                Object key = Yaml.at(variable, "valueFrom", "secretKeyRef", "key");
                value = objects.stream()
                        .filter(object ->
                                object.kind().equals("Secret") && object.name().equals(secret))
                        .map(object -> (Object) new String(
                                Base64.getDecoder().decode((String) object.at("data", key)), StandardCharsets.UTF_8))
                        .findAny()
                        .orElse("redis://of-somebody-else");
            }
            variables.put(name, (String) value);
        }
        return variables;
    }

    @ParameterizedTest
    @MethodSource("sets")
    void settings_areOnesThatTheServerKnows(ValueSet values) {
        List<ApiObject> objects = values.render();
        Map<String, String> variables = variables(objects);
        variables.keySet().removeAll(Set.of("TZ", "SLUICE_TLS_CERT", "SLUICE_TLS_KEY"));

        Settings settings = Settings.read(Map.of(), null, variables);

        assertThat(settings.warnings()).isEmpty();
        boolean redis = !values.name().startsWith("memory");
        assertThat(settings.config().redis() != null).isEqualTo(redis);
        long grace = ((Number) deployment(objects).at("spec", "template", "spec", "terminationGracePeriodSeconds"))
                .longValue();
        long before =
                Long.parseLong((String) Yaml.at(container(objects), "lifecycle", "preStop", "exec", "command", 1));
        assertThat(before + settings.config().stopDeadline().toSeconds()).isLessThan(grace);
    }

    @Test
    void values_reachTheServer() {
        Map<String, String> redis = variables(ValueSets.named("redis").render());
        assertThat(redis)
                .containsEntry("SLUICE_REDIS", "redis://:password-of-redis@redis:6379")
                .containsEntry("SLUICE_ADMIN_TOKEN", "sixteen-characters-or-more")
                .containsEntry("SLUICE_MAX_CONNECTIONS", "20000000");
        Map<String, String> all = variables(ValueSets.named("everything-on").render());
        assertThat(all)
                .containsEntry("SLUICE_TRUSTED_PROXIES", "10.1.0.0/16,10.2.0.0/16")
                .containsEntry("SLUICE_WEBHOOK_HOSTS", "hooks.example.com,*.example.org")
                .containsEntry("SLUICE_LEGACY_HEADERS", "true")
                .containsEntry("SLUICE_TLS_CERT", "/etc/sluice-tls/tls.crt")
                .containsEntry("JDK_JAVA_OPTIONS", "-Xmx300m -Duser.timezone=UTC");
        assertThat(variables(ValueSets.named("everything-off").render()))
                .containsEntry("SLUICE_RESP_PORT", "off")
                .containsEntry("SLUICE_TRUSTED_PROXIES", "none");
        assertThat(variables(ValueSets.named("memory-persistent").render()))
                .containsEntry("SLUICE_DATA_DIR", "/var/lib/sluice/data")
                .doesNotContainKey("SLUICE_REDIS");
    }

    @Test
    void adminToken_withoutASecret_isRandom() {
        String first = variables(ValueSets.named("memory").render()).get("SLUICE_ADMIN_TOKEN");
        String second = variables(ValueSets.named("memory").render()).get("SLUICE_ADMIN_TOKEN");
        assertThat(first).hasSize(48).isNotEqualTo(second);
    }

    @Test
    void adminToken_ofAnEarlierRelease_isKept() {
        String token = Base64.getEncoder().encodeToString("token-of-before".getBytes(StandardCharsets.UTF_8));
        Cluster cluster = new Cluster(Map.of(
                "/api/v1/namespaces/limits/secrets/sluice-credentials",
                "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"sluice-credentials\"},\"data\":{\"admin-token\":\""
                        + token + "\"}}"));
        try {
            cluster.use();
            List<ApiObject> objects =
                    Chart.renderOnCluster("sluice", ValueSets.named("memory").files());
            assertThat(variables(objects)).containsEntry("SLUICE_ADMIN_TOKEN", "token-of-before");
        } finally {
            cluster.stop();
        }
    }

    @Test
    void notes_sayWhatIsLeftToDo() {
        assertThat(Chart.notes(List.of()))
                .contains("sluice:8080", "sluice-grpc:8080", "the secret sluice holds", "No gateway is trusted yet")
                .doesNotContain("get secret");
        assertThat(Chart.notes(ValueSets.named("everything-on").files()))
                .contains("sluice-limits:80", "https://", "get secret sluice-limits-credentials")
                .doesNotContain("No gateway is trusted yet");
        assertThat(Chart.notes(ValueSets.named("memory").files())).contains("starts fresh after a restart");
    }

    @Test
    void memoryStore_hasOneReplica_andIsNeverThereTwice() {
        Object spec = deployment(ValueSets.named("memory-persistent").render()).at("spec");
        assertThat(Yaml.map(spec)).containsEntry("replicas", 1).containsEntry("strategy", Map.of("type", "Recreate"));
        assertThat(deployment(ValueSets.named("redis").render()).at("spec", "replicas"))
                .isEqualTo(4);
        assertThat(Yaml.map(deployment(Chart.render(List.of())).at("spec")))
                .as("the autoscaler decides")
                .doesNotContainKey("replicas");
    }

    @Test
    void serviceMonitor_showsTheTokenWhereMetricsNeedIt() {
        ApiObject monitor = ValueSets.named("everything-on").render().stream()
                .filter(object -> object.kind().equals("ServiceMonitor"))
                .findAny()
                .orElseThrow();
        assertThat(monitor.at("spec", "endpoints", 0, "authorization", "credentials"))
                .isEqualTo(Map.of("name", "sluice-limits-credentials", "key", "admin-token"));
        assertThat(monitor.at("spec", "endpoints", 0, "scheme")).isEqualTo("https");
    }

    /** The values of this set give the application another name. */
    @Test
    void serviceMonitor_givesTheJobTheNameThatTheAlertsAskFor() throws IOException {
        ApiObject monitor = ValueSets.named("everything-on").render().stream()
                .filter(object -> object.kind().equals("ServiceMonitor"))
                .findAny()
                .orElseThrow();
        assertThat(monitor.at("spec", "endpoints", 0, "relabelings"))
                .isEqualTo(List.of(Map.of("targetLabel", "job", "replacement", "sluice")));
        assertThat(Files.readString(Path.of("..", "prometheus", "alerts.yaml"))).contains("{job=\"sluice\"}");
    }

    /** A chart can only read its own files, so it has a copy. */
    @Test
    void alerts_areThoseOfPrometheus() throws IOException {
        String rules = Files.readString(Path.of("..", "prometheus", "alerts.yaml"));
        assertThat(Files.readString(Chart.DIRECTORY.resolve("files/alerts.yaml")))
                .as("cp deploy/prometheus/alerts.yaml deploy/helm/files/")
                .isEqualTo(rules);
        ApiObject rule = ValueSets.named("everything-on").render().stream()
                .filter(object -> object.kind().equals("PrometheusRule"))
                .findAny()
                .orElseThrow();
        assertThat(rule.at("spec")).isEqualTo(Yaml.documents(rules).get(0));
    }

    @Test
    void names_ofALongRelease_stayWithinTheirLength() {
        List<ApiObject> objects =
                Chart.render("r".repeat(53), ValueSets.named("everything-on").files());
        assertThat(objects)
                .allSatisfy(object -> assertThat(ApiSchema.problems(object)).isEmpty());
    }
}
