package io.sluice.server;

/** A setting has a value that cannot be used. The message is one line: the setting, its value, and what was expected. */
public final class SettingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SettingException(String message) {
        super(message);
    }
}
