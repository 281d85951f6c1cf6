package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.SluiceProperties;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The guides show the code that the tests of this package run, and every setting. */
class GuidesTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(sluice\\.[\\w.<>-]+)` \\| (.*?) \\| .+ \\|$");

    @Test
    void blocks_areTheSources() {
        assertThat(Guides.blocks())
                .hasSizeGreaterThan(10)
                .allSatisfy(block -> assertThat(block.text())
                        .as(block.guide() + ": " + block.source())
                        .isEqualTo(Guides.source(block.source())));
    }

    @Test
    void sources_areShown() throws IOException {
        Set<String> shown = Guides.blocks().stream().map(Guides.Block::source).collect(Collectors.toSet());
        assertThat(shown).containsExactlyInAnyOrderElementsOf(Guides.sources());
    }

    @Test
    void settings_areAllInTheTable_withTheirDefaults() {
        Map<String, String> table = new LinkedHashMap<>();
        String page = Guides.page("spring.md");
        Matcher row = ROW.matcher(page.substring(page.indexOf("\n## Settings\n")));
        while (row.find()) {
            assertThat(table.put(row.group(1), row.group(2))).as(row.group(1)).isNull();
        }
        Map<String, String> settings = new LinkedHashMap<>();
        settings("sluice", SluiceProperties.class, settings);
        settings("sluice.clients.<name>", SluiceProperties.Client.class, settings);
        settings.remove("sluice.clients");
        assertThat(table).isEqualTo(settings);
    }

    private static void settings(String prefix, Class<?> type, Map<String, String> found) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "."
                    + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (component.getType().isRecord()) {
                settings(name, component.getType(), found);
            } else {
                found.put(name, defaultOf(type, component));
            }
        }
    }

    /** The annotation of the parameter of the constructor, because Spring reads that one. */
    private static String defaultOf(Class<?> type, RecordComponent component) {
        RecordComponent[] all = type.getRecordComponents();
        for (int i = 0; i < all.length; i++) {
            if (all[i].getName().equals(component.getName())) {
                DefaultValue value =
                        type.getDeclaredConstructors()[0].getParameters()[i].getAnnotation(DefaultValue.class);
                return value == null || value.value().length == 0
                        ? "none"
                        : "`" + String.join(", ", value.value()) + "`";
            }
        }
        throw new AssertionError(component.toString());
    }
}
