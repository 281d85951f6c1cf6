package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Checks the files of {@code deploy} without a cluster. */
class DeployTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Path KUBERNETES = DEPLOY.resolve("kubernetes");

    /** Measured memory in mebibytes for classes, code, threads and the garbage collector. */
    private static final long REST_OF_THE_JVM = 130;

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }

    private static Object at(Object node, Object... path) {
        Object found = node;
        for (Object step : path) {
            Object next = step instanceof Integer index
                    ? ((List<?>) found).get(index)
                    : map(found).get(step);
            found = Objects.requireNonNull(next, () -> step + " of " + List.of(path));
        }
        return found;
    }

    private static List<Object> documents(String file) throws IOException {
        List<Object> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(Files.readString(KUBERNETES.resolve(file)))
                .forEach(documents::add);
        return documents;
    }

    private static Object pod() throws IOException {
        return at(documents("deployment.yaml").get(0), "spec", "template", "spec");
    }

    private static Object labels() throws IOException {
        return at(documents("deployment.yaml").get(0), "spec", "template", "metadata", "labels");
    }

    private static Object container() throws IOException {
        return at(pod(), "containers", 0);
    }

    @Test
    void kustomization_namesEveryFile() throws IOException {
        Object kustomization = documents("kustomization.yaml").get(0);
        List<Object> named = new ArrayList<>((List<?>) at(kustomization, "resources"));
        named.addAll((List<?>) at(kustomization, "configMapGenerator", 0, "files"));
        named.add("kustomization.yaml");
        try (Stream<Path> files = Files.list(KUBERNETES)) {
            assertThat(files.map(file -> (Object) file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }

    @Test
    void selectors_findThePods() throws IOException {
        Object deployment = documents("deployment.yaml").get(0);
        Object labels = at(deployment, "spec", "template", "metadata", "labels");
        assertThat(at(deployment, "spec", "selector", "matchLabels")).isEqualTo(labels);
        for (Object service : documents("service.yaml")) {
            assertThat(at(service, "spec", "selector")).isEqualTo(labels);
        }
        assertThat(at(documents("disruption.yaml").get(0), "spec", "selector", "matchLabels"))
                .isEqualTo(labels);
    }

    @Test
    void ports_areThoseOfTheServer_andServicesNameThem() throws IOException {
        Map<String, Object> ports = new HashMap<>();
        for (Object port : (List<?>) at(container(), "ports")) {
            ports.put((String) at(port, "name"), at(port, "containerPort"));
        }
        assertThat(ports).isEqualTo(Map.of("http", 8080, "resp", 6380));
        for (Object service : documents("service.yaml")) {
            for (Object port : (List<?>) at(service, "spec", "ports")) {
                assertThat(ports).containsEntry((String) at(port, "targetPort"), at(port, "port"));
            }
        }
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(ports).containsKey((String) at(container(), probe, "httpGet", "port"));
            assertThat(at(container(), probe, "httpGet", "path")).isIn("/healthz", "/readyz");
        }
    }

    @Test
    void settings_areOnesThatTheServerKnows() throws IOException {
        Map<String, String> variables = new HashMap<>(Map.of("SLUICE_HOST", "0.0.0.0", "SLUICE_LOG_FORMAT", "json"));
        String dockerfile = Files.readString(DEPLOY.resolve("Dockerfile"));
        variables.forEach((name, value) -> assertThat(dockerfile).contains(name + "=" + value));
        for (Object variable : (List<?>) at(container(), "env")) {
            if (map(variable).containsKey("value")) {
                variables.put((String) at(variable, "name"), (String) at(variable, "value"));
            } else {
                assertThat(at(variable, "valueFrom", "secretKeyRef", "name")).isEqualTo("sluice");
                variables.put((String) at(variable, "name"), "redis://localhost");
            }
        }

        Settings settings = Settings.read(Map.of(), null, variables);

        assertThat(settings.warnings()).isEmpty();
        assertThat(settings.config().host()).isEqualTo("0.0.0.0");
        assertThat(settings.config().redis()).isEqualTo("redis://localhost");
        assertThat(settings.config().adminToken()).isEqualTo("redis://localhost");
        long grace = ((Number) at(pod(), "terminationGracePeriodSeconds")).longValue();
        List<?> before = (List<?>) at(container(), "lifecycle", "preStop", "exec", "command");
        assertThat(before.get(0)).isEqualTo("sleep");
        assertThat(Long.parseLong((String) before.get(1))
                        + settings.config().stopDeadline().toSeconds())
                .isLessThan(grace);
    }

    /** A trusted peer can claim any address, so no network must be trusted by accident. */
    @Test
    void trustedProxies_areLoopbackAndAPlaceholder() throws IOException {
        Map<String, Object> variables = new HashMap<>();
        for (Object variable : (List<?>) at(container(), "env")) {
            variables.put((String) at(variable, "name"), map(variable).get("value"));
        }
        assertThat(variables)
                .containsEntry("SLUICE_TRUSTED_PROXIES", "127.0.0.0/8,::1/128,192.0.2.0/24")
                .containsEntry("SLUICE_WEBHOOK_HOSTS", "none");
    }

    @Test
    void pod_mayDoNothingThatItNeedNot() throws IOException {
        assertThat(map(pod()))
                .containsEntry("automountServiceAccountToken", false)
                .containsEntry("enableServiceLinks", false);
        assertThat(map(at(pod(), "securityContext")))
                .containsEntry("runAsNonRoot", true)
                .containsEntry("seccompProfile", Map.of("type", "RuntimeDefault"));
        assertThat(map(at(container(), "securityContext")))
                .containsEntry("allowPrivilegeEscalation", false)
                .containsEntry("readOnlyRootFilesystem", true)
                .containsEntry("capabilities", Map.of("drop", List.of("ALL")));
    }

    @Test
    void network_isOpenToClientsAndPrometheus_onThePortsOfTheServer() throws IOException {
        Object policy = at(documents("network.yaml").get(0), "spec");
        assertThat(at(policy, "podSelector", "matchLabels")).isEqualTo(labels());
        assertThat(at(policy, "policyTypes")).isEqualTo(List.of("Ingress", "Egress"));
        for (Object rule : (List<?>) at(policy, "ingress")) {
            assertThat((List<?>) at(rule, "from"))
                    .as("from somebody, not everybody")
                    .isNotEmpty();
            for (Object port : (List<?>) at(rule, "ports")) {
                assertThat(at(port, "port")).isIn("http", "resp");
            }
        }
        for (Object rule : (List<?>) at(policy, "egress")) {
            assertThat((List<?>) at(rule, "to")).isNotEmpty();
        }
    }

    @Test
    void autoscaler_scalesTheDeployment_andNeverBelowWhatMustBeAvailable() throws IOException {
        Object deployment = documents("deployment.yaml").get(0);
        Object scaler = at(documents("autoscaler.yaml").get(0), "spec");
        assertThat(map(at(scaler, "scaleTargetRef")))
                .containsEntry("kind", at(deployment, "kind"))
                .containsEntry("apiVersion", at(deployment, "apiVersion"))
                .containsEntry("name", at(deployment, "metadata", "name"));
        assertThat(map(at(deployment, "spec"))).as("two would say how many").doesNotContainKey("replicas");
        int available = (Integer) at(documents("disruption.yaml").get(0), "spec", "minAvailable");
        assertThat((Integer) at(scaler, "minReplicas")).isGreaterThan(available);
        assertThat((Integer) at(scaler, "maxReplicas")).isGreaterThan((Integer) at(scaler, "minReplicas"));
        assertThat(at(container(), "resources", "requests", "cpu"))
                .as("what utilization is of")
                .isNotNull();
    }

    @Test
    void policies_canBeUsed_andAreWhereTheServerLooks() throws IOException {
        String policies = Files.readString(KUBERNETES.resolve("policies.yaml"));
        assertThat(Policies.parse(policies, "policies.yaml").warnings()).isEmpty();
        List<?> arguments = (List<?>) at(container(), "args");
        String mount = (String) at(container(), "volumeMounts", 0, "mountPath");
        assertThat(arguments.toString()).isEqualTo("[serve, --config, " + mount + "/policies.yaml]");
    }

    @Test
    void heapAndDirectMemory_fitTheContainer() throws IOException {
        String dockerfile = Files.readString(DEPLOY.resolve("Dockerfile"));
        long limit = number("(\\d+)Mi", (String) at(container(), "resources", "limits", "memory"));
        long heap = limit * number("-XX:MaxRAMPercentage=(\\d+)", dockerfile) / 100;
        long direct = number("-XX:MaxDirectMemorySize=(\\d+)m", dockerfile);

        assertThat(heap + direct + REST_OF_THE_JVM).isLessThanOrEqualTo(limit);
        assertThat(Files.readString(Path.of("..", "docs", "guides", "memory.md")))
                .contains(limit + " MiB", heap + " MiB", direct + " MiB", REST_OF_THE_JVM + " MiB");
        assertThat(Files.readString(Path.of("..", "sluice"))).contains("-XX:MaxDirectMemorySize=" + direct + "m");
    }

    /** Maven refuses to build one module if the pom of another is missing. */
    @Test
    void dockerignore_leavesThePomOfEveryModule() throws IOException {
        List<String> ignored = Files.readAllLines(Path.of("..", ".dockerignore")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        List<String> modules = Pattern.compile("<module>([^<]+)</module>")
                .matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
        assertThat(modules).contains("sluice-cli", "deploy/tests");
        assertThat(ignored)
                .contains("docs", "deploy/helm")
                .allSatisfy(path -> assertThat(modules).noneMatch(module -> (module + "/").startsWith(path + "/")));
    }

    @Test
    void threadsThatReload_haveLowPriorityInTheImageAndTheLauncher() throws IOException {
        List<String> options =
                List.of("-XX:ThreadPriorityPolicy=1", "-XX:JavaPriority1_To_OSPriority=10", "-XX:-PrintWarnings");
        assertThat(Files.readString(DEPLOY.resolve("Dockerfile"))).contains(options);
        assertThat(Files.readString(Path.of("..", "sluice"))).contains(options);
    }

    private static long number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return Long.parseLong(found.group(1));
    }
}
