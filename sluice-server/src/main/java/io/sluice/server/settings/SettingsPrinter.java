package io.sluice.server.settings;

import io.sluice.server.KeyMemory;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Prints settings as a settings file, with the source of each. */
final class SettingsPrinter {
    private static final String HEAD =
            "# The settings in effect, and where they come from. To be read again:" + " sluice serve --settings FILE\n";
    private static final String HIDDEN = "***";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._][A-Za-z0-9/._:,+-]*");
    private static final int COLUMN = 40;

    private SettingsPrinter() {}

    static String print(Map<Setting, SettingValue> values) {
        StringBuilder text = new StringBuilder(HEAD);
        for (Setting.Group group : Setting.Group.values()) {
            text.append('\n');
            for (Setting setting : group.settings()) {
                if (values.containsKey(setting)) {
                    text.append(line(Objects.requireNonNull(values.get(setting))));
                } else if (setting == Setting.MAX_KEYS) {
                    // As a comment, because the number depends on the heap of the process that reads the file.
                    text.append(padded("# " + setting.key() + ": " + KeyMemory.keys()))
                            .append("# not set: ")
                            .append(KeyMemory.description())
                            .append('\n');
                } else if (setting.flag().isPresent()) {
                    text.append(padded("# " + setting.key() + ":")).append("# not set\n");
                }
            }
        }
        return text.toString();
    }

    /** A hidden secret is printed as a comment, so that a reader does not take the stars for the secret. */
    private static String line(SettingValue one) {
        String displayed = displayed(one);
        boolean hidden = !displayed.equals(one.text());
        String line = (hidden ? "# " : "") + one.setting().key() + ": " + quoted(displayed);
        return padded(line) + "# " + one.origin().replace('\n', ' ') + "\n";
    }

    private static String displayed(SettingValue one) {
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
