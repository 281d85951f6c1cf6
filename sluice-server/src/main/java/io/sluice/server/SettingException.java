package io.sluice.server;

/** What a server was told cannot be used. The message is one line: what was told, where, and what was expected. */
public final class SettingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SettingException(String message) {
        super(message);
    }
}
