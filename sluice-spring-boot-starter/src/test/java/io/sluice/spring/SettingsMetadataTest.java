package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
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
        assertThat(Arrays.stream(PolicyProperties.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)))
                .containsExactlyInAnyOrderElementsOf(fieldsOfAPolicyFile());
    }

    /** The reader names the fields that it knows when it refuses another one. */
    private static List<String> fieldsOfAPolicyFile() {
        try {
            Policies.parse("version: 1\npolicies:\n- {name: a, limit: 1/s, nonsense: 1}\n", "test");
        } catch (PolicyException e) {
            String message = String.valueOf(e.getMessage());
            String fields = message.replaceAll("(?s).*expected: (one of )?", "").replaceAll("(?s)\\).*", "");
            return Stream.of(fields.split(", | or ")).map(String::strip).collect(Collectors.toList());
        }
        throw new AssertionError("the unknown field was not refused");
    }
}
