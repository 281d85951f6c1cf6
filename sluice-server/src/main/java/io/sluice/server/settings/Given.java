package io.sluice.server.settings;

import io.sluice.server.SettingException;

/**
 * The value of a setting, as it was given.
 *
 * @param from how far it ranks: what was said closer to the start counts
 * @param origin where: {@code --port}, {@code SLUICE_PORT}, {@code settings.yaml:3}
 */
record Given(Setting setting, String text, From from, String origin) {
    private static final int MOST_SHOWN = 60;

    /** The last counts most. */
    enum From {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        FLAG
    }

    /** What is said to who gave a value that cannot be used. */
    SettingException refused(String expected) {
        String where = from == From.FILE ? origin + ": " + setting.key() : origin;
        return new SettingException(where + " " + shown() + " (expected: " + expected + ")");
    }

    private String shown() {
        if (setting.isSecret()) {
            return "***";
        }
        return '"' + (text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...") + '"';
    }
}
