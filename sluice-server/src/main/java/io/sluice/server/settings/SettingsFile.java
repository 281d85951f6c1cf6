package io.sluice.server.settings;

import io.sluice.policy.Suggestion;
import io.sluice.policy.yaml.YamlSyntaxError;
import io.sluice.server.SettingException;
import io.sluice.server.settings.SettingValue.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads a settings file: a YAML mapping of names to values. */
final class SettingsFile {
    private final Path file;
    private final Map<Setting, SettingValue> values = new EnumMap<>(Setting.class);

    private SettingsFile(Path file) {
        this.file = file;
    }

    /** @throws SettingException if the file cannot be read or has an unknown setting */
    static Map<Setting, SettingValue> read(Path file) {
        String text;
        try {
            text = TextFile.read(file);
        } catch (IOException e) {
            throw new SettingException(file + ": " + TextFile.reason(e) + " (expected: a file of settings, in YAML)");
        }
        SettingsFile settings = new SettingsFile(file);
        settings.read(text);
        return settings.values;
    }

    private void read(String text) {
        Optional<Node> root;
        try {
            // Not the library's class Compose, which does the same: its package is not exported, so nobody sees it on a
            // module path.
            LoadSettings yaml = LoadSettings.builder().setLabel("settings").build();
            root = new Composer(yaml, new ParserImpl(yaml, new StreamReader(yaml, text))).getSingleNode();
        } catch (MarkedYamlEngineException e) {
            YamlSyntaxError error = YamlSyntaxError.of(e, text);
            throw new SettingException(file + ":" + error.position().line() + ": not YAML: " + error.message());
        } catch (YamlEngineException e) {
            throw new SettingException(file + ": not YAML: " + e.getMessage());
        }
        if (root.isEmpty()) {
            return;
        }
        if (!(root.get() instanceof MappingNode mapping)) {
            throw invalid(root.get().getStartMark(), "not a mapping (expected: settings such as port: 8080)");
        }
        for (NodeTuple entry : mapping.getValue()) {
            add(entry.getKeyNode(), entry.getValueNode());
        }
    }

    private void add(Node key, Node value) {
        String name = key instanceof ScalarNode scalar ? scalar.getValue() : "";
        Setting setting = Setting.byKey(name);
        if (setting == null) {
            @Nullable String nearest = Suggestion.nearest(name, Setting.keys());
            throw invalid(
                    key.getStartMark(),
                    "\"" + name + "\" is not a setting ("
                            + (nearest == null
                                    ? "expected: one of " + String.join(", ", Setting.keys())
                                    : "did you mean: " + nearest + "?")
                            + ")");
        }
        if (values.containsKey(setting)) {
            throw invalid(key.getStartMark(), name + " is set twice (expected: once)");
        }
        values.put(setting, new SettingValue(setting, text(setting, value), Source.FILE, place(value.getStartMark())));
    }

    private String text(Setting setting, Node value) {
        if (value instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            return scalar.getValue();
        }
        if (setting.isList() && value instanceof SequenceNode list) {
            List<String> texts = list.getValue().stream()
                    .map(item -> item instanceof ScalarNode scalar ? scalar.getValue() : "")
                    .toList();
            return String.join(",", texts);
        }
        String label = setting.label().isEmpty() ? "true or false" : setting.label();
        throw invalid(value.getStartMark(), setting.key() + " has no value (expected: " + label + ")");
    }

    private SettingException invalid(Optional<Mark> at, String problem) {
        return new SettingException(place(at) + ": " + problem);
    }

    private String place(Optional<Mark> at) {
        return file + at.map(mark -> ":" + (mark.getLine() + 1)).orElse("");
    }
}
