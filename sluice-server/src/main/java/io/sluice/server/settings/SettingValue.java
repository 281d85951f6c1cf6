package io.sluice.server.settings;

import io.sluice.server.SettingException;

/**
 * The text of a setting and its source.
 *
 * @param origin the exact source: {@code --port}, {@code SLUICE_PORT}, {@code settings.yaml:3}
 */
record SettingValue(Setting setting, String text, Source source, String origin) {
    private static final int MAX_LENGTH = 60;

    /** Where a value comes from. A later source wins over an earlier one. */
    enum Source {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        FLAG
    }

    /** The error for a value that cannot be used. */
    SettingException invalid(String expected) {
        String where = source == Source.FILE ? origin + ": " + setting.key() : origin;
        return new SettingException(where + " " + displayed() + " (expected: " + expected + ")");
    }

    private String displayed() {
        if (setting.isSecret()) {
            return "***";
        }
        return '"' + (text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...") + '"';
    }
}
