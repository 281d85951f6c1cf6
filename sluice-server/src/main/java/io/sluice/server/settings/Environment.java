package io.sluice.server.settings;

import io.sluice.policy.Suggestion;
import io.sluice.server.settings.SettingValue.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings in the variables of the environment. */
final class Environment {
    static final String PREFIX = "SLUICE_";
    private static final String SETTINGS = PREFIX + "SETTINGS";

    /** Variables of the launcher and the command, which are not settings. */
    private static final Set<String> NOT_SETTINGS = Set.of(SETTINGS, "SLUICE_JAVA_OPTS", "SLUICE_DEBUG");

    /** Kubernetes sets these in every pod if a service is called sluice: SLUICE_PORT=tcp://10.0.0.1:8080, ... */
    private static final Pattern KUBERNETES_NAME =
            Pattern.compile(".*_SERVICE_(HOST|PORT)(_.*)?|.*_PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?");

    private static final Pattern KUBERNETES_PORT = Pattern.compile("(tcp|udp|sctp)://.*");

    final Map<Setting, SettingValue> values = new EnumMap<>(Setting.class);
    final List<String> warnings = new ArrayList<>();
    /** The value of {@code SLUICE_SETTINGS}. */
    final @Nullable String settingsFile;

    Environment(Map<String, String> variables) {
        settingsFile = variables.get(SETTINGS);
        Map<String, Setting> known = new TreeMap<>();
        for (Setting setting : Setting.values()) {
            known.put(setting.variable(), setting);
        }
        new TreeMap<>(variables).forEach((name, value) -> {
            if (!name.startsWith(PREFIX) || NOT_SETTINGS.contains(name) || isFromKubernetes(name, value)) {
                return;
            }
            Setting setting = known.get(name);
            if (setting == null) {
                warnings.add(unknownVariable(name, known.keySet()));
            } else if (!value.isEmpty()) {
                values.put(setting, new SettingValue(setting, value, Source.ENVIRONMENT, name));
            }
        });
    }

    private static boolean isFromKubernetes(String name, String value) {
        return KUBERNETES_NAME.matcher(name).matches()
                || (name.endsWith("_PORT") && KUBERNETES_PORT.matcher(value).matches());
    }

    private static String unknownVariable(String name, Set<String> known) {
        String nearest = Suggestion.nearest(name, known);
        return name + " is not a setting and is ignored" + (nearest == null ? "" : " (did you mean: " + nearest + "?)");
    }
}
