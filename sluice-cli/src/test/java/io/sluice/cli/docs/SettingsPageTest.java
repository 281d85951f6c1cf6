package io.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.settings.Setting;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of settings has every setting with its value and its default, and no other. */
class SettingsPageTest {
    private static final Pattern ROW = Pattern.compile("\\| `([a-z-]+)` \\| (.*?) ?(?<!\\\\)\\| (.*?) ?\\| (.+) \\|");

    private static Map<String, Matcher> rows() {
        Map<String, Matcher> rows = new LinkedHashMap<>();
        for (String line :
                Page.read(Page.ROOT.resolve("docs/reference/settings.md")).lines()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                assertThat(rows.put(row.group(1), row)).as(line).isNull();
            }
        }
        return rows;
    }

    @Test
    void page_hasEverySetting_andNoOther() {
        List<String> settings =
                Arrays.stream(Setting.values()).map(Setting::key).toList();
        assertThat(rows().keySet()).containsExactlyInAnyOrderElementsOf(settings);
    }

    @Test
    void page_hasTheValueAndTheDefault_ofEachSetting() {
        Map<String, Matcher> rows = rows();
        for (Setting setting : Setting.values()) {
            Matcher row = Objects.requireNonNull(rows.get(setting.key()), setting.key());
            assertThat(row.group(2).replace("\\", "")).as(setting.key()).isEqualTo(setting.label());
            setting.defaultValue()
                    .ifPresent(
                            text -> assertThat(row.group(3)).as(setting.key()).isEqualTo("`" + text + "`"));
            assertThat(row.group(4).contains("No flag"))
                    .as(setting.key())
                    .isEqualTo(setting.flag().isEmpty());
        }
    }
}
