package io.sluice.server.settings;

import io.sluice.policy.Suggestion;
import io.sluice.server.SettingException;
import io.sluice.server.settings.Given.From;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads settings from a file: a mapping of names to values, in YAML. */
final class SettingsFile {
    private final Path file;
    private final Map<Setting, Given> given = new EnumMap<>(Setting.class);

    private SettingsFile(Path file) {
        this.file = file;
    }

    /** @throws SettingException if it cannot be read, or anything in it cannot be used */
    static Map<Setting, Given> read(Path file) {
        String text;
        try {
            text = TextFile.read(file);
        } catch (IOException e) {
            throw new SettingException(file + ": " + TextFile.reason(e) + " (expected: a file of settings, in YAML)");
        }
        SettingsFile settings = new SettingsFile(file);
        settings.read(text);
        return settings.given;
    }

    private void read(String text) {
        Optional<Node> root;
        try {
            root = new Compose(LoadSettings.builder().setLabel("settings").build()).composeString(text);
        } catch (MarkedYamlEngineException e) {
            throw refused(e.getProblemMark(), "not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new SettingException(file + ": not YAML: " + e.getMessage());
        }
        if (root.isEmpty()) {
            return;
        }
        if (!(root.get() instanceof MappingNode mapping)) {
            throw refused(root.get().getStartMark(), "no mapping (expected: settings such as port: 8080)");
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
            throw refused(
                    key.getStartMark(),
                    "\"" + name + "\" is not a setting ("
                            + (nearest == null
                                    ? "expected: one of " + String.join(", ", Setting.keys())
                                    : "did you mean: " + nearest + "?")
                            + ")");
        }
        if (given.containsKey(setting)) {
            throw refused(key.getStartMark(), name + " was said before (expected: once)");
        }
        given.put(setting, new Given(setting, text(setting, value), From.FILE, place(value.getStartMark())));
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
        throw refused(value.getStartMark(), setting.key() + " has no value (expected: " + label + ")");
    }

    private SettingException refused(Optional<Mark> at, String problem) {
        return new SettingException(place(at) + ": " + problem);
    }

    private String place(Optional<Mark> at) {
        return file + at.map(mark -> ":" + (mark.getLine() + 1)).orElse("");
    }
}
