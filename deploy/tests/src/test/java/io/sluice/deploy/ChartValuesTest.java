package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of the chart: those that are refused, and those that other files must agree with. */
class ChartValuesTest {
    @TempDir
    Path directory;

    /** Settings that follow from other values, and those that name files or addresses of the container. */
    private static final Set<Setting> DECIDED_BY_THE_CHART = Set.of(
            Setting.CONFIG,
            Setting.ENVOY_CONFIG,
            Setting.REDIS,
            Setting.REDIS_FILE,
            Setting.DATA_DIR,
            Setting.HOST,
            Setting.PORT,
            Setting.RESP_PORT,
            Setting.TLS_CERT,
            Setting.TLS_KEY,
            Setting.ADMIN_TOKEN,
            Setting.ADMIN_TOKEN_FILE,
            Setting.RESP_PASSWORD,
            Setting.RESP_PASSWORD_FILE);

    private List<ApiObject> render(String values) throws IOException {
        return Chart.render(List.of(Files.writeString(directory.resolve("values.yaml"), values)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    autoscalling: { enabled: false }            | autoscalling
                    image: { tagg: "1" }                        | tagg
                    metrics: { serviceMonitor: { on: true } }   | serviceMonitor
                    settings: { trusted-proxy: none }           | trusted-proxy
                    settings: { redis: "redis://localhost" }    | redis
                    settings: { idle-timeout: 60 }              | idle-timeout
                    store: disk                                 | store
                    redis: { uri: localhost }                   | uri
                    adminToken: { token: short }                | token
                    replicas: three                             | replicas
                    resources: { limits: { memory: 256Mi } }    | resources.limits.memory: 256Mi (expected: at least 452Mi
                    resources: { limits: { memory: 400M } }     | resources.limits.memory: 400M (expected: at least 452Mi
                    disruptionBudget: { minAvailable: 3 }       | disruptionBudget.minAvailable: 3 (expected: less than the 3 replicas
                    redis: { existingSecret: { name: "" } }     | store: redis needs the URI of Redis
                    autoscaling: { minReplicas: 13 }            | autoscaling.minReplicas: 13 (expected: at most maxReplicas, which is 12)
                    resources: { limits: { memroy: 1Gi } }      | memroy
                    tolerations: [{ keyy: dedicated }]          | keyy
                    affinity: { nodeAfinity: {} }               | nodeAfinity
                    extraEnv: [{ name: TZ, vlaue: UTC }]        | vlaue
                    extraVolumeMounts: [{ name: a, mountPath: /a, readonly: true }]            | readonly
                    networkPolicy: { clients: [{ podSelecter: {} }] }                          | podSelecter
                    networkPolicy: { clients: [{}] }                                           | clients
                    networkPolicy: { redis: [{ podSelector: { matchLabel: { a: b } } }] }      | matchLabel
                    networkPolicy: { extraEgress: [{ too: [] }] }                              | too
                    networkPolicy: { extraEgress: [{ ports: [{ prot: 443 }] }] }               | prot
                    """)
    void value_thatCannotBeMeant_isRefused(String values, String message) {
        assertThatThrownBy(() -> render(values)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"452Mi", "1Gi", "463000Ki", "500M", "1G", "536870912"})
    void memory_thatIsEnough_isTaken(String memory) throws IOException {
        assertThat(render("resources: { limits: { memory: " + memory + " } }")).isNotEmpty();
    }

    /** Digits are legal names, but YAML takes them for numbers, which Kubernetes refuses. */
    @ParameterizedTest
    @ValueSource(strings = {"""
                nameOverride: "2024"
                fullnameOverride: "31"
                image: { repository: sluice, tag: "1", pullSecrets: [{ name: "4" }] }
                redis: { existingSecret: { name: "5", key: "6" } }
                adminToken: { existingSecret: { name: "7", key: "8" } }
                resp: { passwordSecret: { name: "9", key: "10" } }
                tls: { existingSecret: "11" }
                serviceAccountName: "12"
                priorityClassName: "13"
                existingPolicies: "14"
                topologyKey: "15"
                nodeSelector: { "16": "17" }
                podLabels: { "18": "19" }
                service: { annotations: { "20": "21" } }
                metrics: { serviceMonitor: { enabled: true } }
                """, """
                store: memory
                persistence: { enabled: true, storageClass: "32" }
                """, """
                store: memory
                persistence: { enabled: true, existingClaim: "33" }
                """})
    void names_thatLookLikeNumbers_stayTexts(String values) throws IOException {
        Path file = Files.writeString(directory.resolve("values.yaml"), values);
        assertThat(Chart.render("12", List.of(file)))
                .allSatisfy(object -> assertThat(ApiSchema.problems(object))
                        .as(object.toString())
                        .isEmpty());
    }

    @Test
    void policies_thatBeginWithSpaces_stayAsTheyAre() throws IOException {
        String policies = "    # ours\nversion: 1\npolicies: []\n";
        ApiObject map = render("policies: |2\n" + policies.indent(2)).stream()
                .filter(object -> object.kind().equals("ConfigMap"))
                .findAny()
                .orElseThrow();
        assertThat(map.at("data", "policies.yaml")).isEqualTo(policies);
    }

    @Test
    void settings_areThoseOfTheServer() throws IOException {
        Object schema = Yaml.document(Chart.DIRECTORY.resolve("values.schema.json"));
        Set<String> names = new HashSet<>();
        Arrays.stream(Setting.values())
                .filter(setting -> !DECIDED_BY_THE_CHART.contains(setting))
                .forEach(setting -> names.add(setting.key()));

        assertThat(Yaml.map(Yaml.at(schema, "properties", "settings", "properties"))
                        .keySet())
                .isEqualTo(names);
    }

    /** Otherwise a value could be given that nothing reads, or read that nobody can give. */
    @Test
    void schemaAndDefaults_haveTheSameNames() throws IOException {
        Map<String, Object> properties =
                Yaml.map(Yaml.at(Yaml.document(Chart.DIRECTORY.resolve("values.schema.json")), "properties"));
        Set<String> names = new HashSet<>(properties.keySet());
        names.remove("global");
        assertThat(Yaml.map(Yaml.document(Chart.DIRECTORY.resolve("values.yaml")))
                        .keySet())
                .isEqualTo(names);
    }

    @Test
    void versions_areThoseOfSluice() throws IOException {
        String version = System.getProperty("sluice.version", "").replace("-SNAPSHOT", "");
        Map<String, Object> chart = Yaml.map(Yaml.document(Chart.DIRECTORY.resolve("Chart.yaml")));
        assertThat(chart).containsEntry("version", version).containsEntry("appVersion", version);
    }

    /** The least memory is where the heap, the direct memory and the rest of the JVM just fit. */
    @Test
    void leastMemory_isThatOfTheImage() throws IOException {
        String dockerfile = Files.readString(Path.of("..", "Dockerfile"));
        long percent = number("-XX:MaxRAMPercentage=(\\d+)", dockerfile);
        long direct = number("-XX:MaxDirectMemorySize=(\\d+)m", dockerfile);
        String guide = Files.readString(Path.of("..", "..", "docs", "guides", "memory.md"));
        long rest = number("direct memory \\+ (\\d+) MiB", guide);
        long least = (direct + rest) * 100 / (100 - percent);

        assertThat(Files.readString(Chart.DIRECTORY.resolve("templates/_helpers.tpl")))
                .contains("(int64 $mebibytes) " + least + ")", "at least " + least + "Mi");
        assertThat(Files.readString(Chart.DIRECTORY.resolve("values.yaml"))).contains("at least " + least + "Mi");
    }

    private static long number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return Long.parseLong(found.group(1));
    }
}
