package io.sluice.server.settings;

import io.sluice.server.KeyMemory;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Writes settings as a file of them. */
final class SettingsText {
    private static final String HEAD =
            "# The settings in effect, and where they come from. To be read again:" + " sluice serve --settings FILE\n";
    private static final String HIDDEN = "***";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._][A-Za-z0-9/._:,+-]*");
    private static final int COLUMN = 40;

    private SettingsText() {}

    static String of(Map<Setting, Given> given) {
        StringBuilder text = new StringBuilder(HEAD);
        for (Setting.Group group : Setting.Group.values()) {
            text.append('\n');
            for (Setting setting : group.settings()) {
                if (given.containsKey(setting)) {
                    text.append(line(Objects.requireNonNull(given.get(setting))));
                } else if (setting == Setting.MAX_KEYS) {
                    // A comment, so that who reads the file again has what fits there.
                    text.append(padded("# " + setting.key() + ": " + KeyMemory.keys()))
                            .append("# not set: ")
                            .append(KeyMemory.origin())
                            .append('\n');
                } else if (setting.flag().isPresent()) {
                    text.append(padded("# " + setting.key() + ":")).append("# not set\n");
                }
            }
        }
        return text.toString();
    }

    /** What hides a secret is a comment: who reads the file must not take the stars for it. */
    private static String line(Given one) {
        String shown = shown(one);
        boolean hidden = !shown.equals(one.text());
        String line = (hidden ? "# " : "") + one.setting().key() + ": " + quoted(shown);
        return padded(line) + "# " + one.origin().replace('\n', ' ') + "\n";
    }

    private static String shown(Given one) {
        if (one.setting() == Setting.REDIS) {
            int at = one.text().lastIndexOf('@');
            int scheme = one.text().indexOf("://");
            return at < 0 || scheme < 0
                    ? one.text()
                    : one.text().substring(0, scheme + 3) + HIDDEN + one.text().substring(at);
        }
        return one.setting().isSecret() ? HIDDEN : one.text();
    }

    private static String padded(String line) {
        return line + " ".repeat(Math.max(1, COLUMN - line.length()));
    }

    private static String quoted(String text) {
        if (PLAIN.matcher(text).matches() && !text.endsWith(":")) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (Character.isISOControl(c) || c == 0xfeff || c == 0x2028 || c == 0x2029) {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
