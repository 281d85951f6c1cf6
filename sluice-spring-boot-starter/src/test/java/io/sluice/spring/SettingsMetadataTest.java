package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.json.JsonParserFactory;

/** What editors read to complete and explain settings: {@code spring-configuration-metadata.json} in the jar. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SettingsMetadataTest {
    /** Settings that are absent by default. */
    private static final List<String> WITHOUT_DEFAULT = List.of(
            "sluice.config",
            "sluice.policies",
            "sluice.alerts",
            "sluice.clients",
            "sluice.redis.uri",
            "sluice.web.costs");

    private List<Map<String, Object>> properties = List.of();

    @BeforeAll
    void read() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                SluiceProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            properties = items(JsonParserFactory.getJsonParser().parseMap(json));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> items(Map<String, Object> metadata) {
        return (List<Map<String, Object>>) Objects.requireNonNull(metadata.get("properties"));
    }

    private static String text(Map<String, Object> property, String field) {
        return String.valueOf(property.get(field));
    }

    @Test
    void everySetting_hasADescription() {
        assertThat(properties).hasSizeGreaterThan(15);
        assertThat(properties)
                .allSatisfy(
                        property -> assertThat(text(property, "description")).endsWith("."));
    }

    @Test
    void everySetting_hasItsDefault() {
        assertThat(properties.stream()
                        .filter(property -> !property.containsKey("defaultValue"))
                        .map(property -> text(property, "name")))
                .containsExactlyInAnyOrderElementsOf(WITHOUT_DEFAULT);
    }

    /** An editor completes the constants of an enum by its type. */
    @Test
    void choices_areEnums() throws ClassNotFoundException {
        for (String name : List.of(
                "sluice.store", "sluice.redis.on-failure", "sluice.web.position", "sluice.web.forwarded-header")) {
            Map<String, Object> property = properties.stream()
                    .filter(item -> text(item, "name").equals(name))
                    .findFirst()
                    .orElseThrow();
            assertThat(Class.forName(text(property, "type")).isEnum()).as(name).isTrue();
        }
    }

    @Test
    void fieldsOfAPolicy_areThoseOfAPolicyFile() {
        String policy = "version: 1\npolicies:\n- {name: a, limit: 1/s, ";
        assertThat(fields(PolicyProperties.class))
                .containsExactlyInAnyOrderElementsOf(known(policy + "nonsense: 1}\n"));
        assertThat(fields(PolicyProperties.LimitOverride.class))
                .containsExactlyInAnyOrderElementsOf(known(policy + "overrides: [{limit: 1/s, nonsense: 1}]}\n"));
        assertThat(fields(PolicyProperties.Reserve.class))
                .containsExactlyInAnyOrderElementsOf(
                        known(policy + "reserve: {share: 1%, for: {a: b}, nonsense: 1}}\n"));
        assertThat(fields(AlertProperties.class))
                .containsExactlyInAnyOrderElementsOf(
                        known("version: 1\npolicies: []\nalerts:\n- {name: a, when: denied > 1, nonsense: 1}\n"));
    }

    private static List<String> fields(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
        return IntStream.range(0, components.length)
                .mapToObj(i -> parameters[i].isAnnotationPresent(Name.class)
                        ? parameters[i].getAnnotation(Name.class).value()
                        : components[i].getName())
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The reader names the fields that it knows when it refuses another one. */
    private static List<String> known(String file) {
        try {
            Policies.parse(file, "test");
        } catch (PolicyException e) {
            String message = String.valueOf(e.getMessage());
            String fields = message.replaceAll("(?s).*expected: (one of )?", "").replaceAll("(?s)\\).*", "");
            return Stream.of(fields.split(", | or ")).map(String::strip).collect(Collectors.toList());
        }
        throw new AssertionError("the unknown field was not refused");
    }
}
