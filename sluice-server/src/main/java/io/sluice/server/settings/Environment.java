package io.sluice.server.settings;

import io.sluice.policy.Suggestion;
import io.sluice.server.settings.Given.From;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the environment says. */
final class Environment {
    static final String PREFIX = "SLUICE_";
    private static final String SETTINGS = PREFIX + "SETTINGS";

    /** Of the launcher and the command. */
    private static final Set<String> OTHERS = Set.of(SETTINGS, "SLUICE_JAVA_OPTS", "SLUICE_DEBUG");

    /** Kubernetes tells every pod of a service called sluice: SLUICE_PORT=tcp://10.0.0.1:8080, SLUICE_SERVICE_HOST, ... */
    private static final Pattern LINK =
            Pattern.compile(".*_SERVICE_(HOST|PORT)(_.*)?|.*_PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?");

    private static final Pattern LINKED = Pattern.compile("(tcp|udp|sctp)://.*");

    final Map<Setting, Given> given = new EnumMap<>(Setting.class);
    final List<String> warnings = new ArrayList<>();
    final @Nullable String file;

    Environment(Map<String, String> variables) {
        file = variables.get(SETTINGS);
        Map<String, Setting> known = new TreeMap<>();
        for (Setting setting : Setting.values()) {
            known.put(setting.variable(), setting);
        }
        new TreeMap<>(variables).forEach((name, value) -> {
            if (!name.startsWith(PREFIX) || OTHERS.contains(name) || isLink(name, value)) {
                return;
            }
            Setting setting = known.get(name);
            if (setting == null) {
                warnings.add(unknown(name, known.keySet()));
            } else if (!value.isEmpty()) {
                given.put(setting, new Given(setting, value, From.ENVIRONMENT, name));
            }
        });
    }

    private static boolean isLink(String name, String value) {
        return LINK.matcher(name).matches()
                || (name.endsWith("_PORT") && LINKED.matcher(value).matches());
    }

    private static String unknown(String name, Set<String> known) {
        String nearest = Suggestion.nearest(name, known);
        return name + " is not a setting and is ignored" + (nearest == null ? "" : " (did you mean: " + nearest + "?)");
    }
}
