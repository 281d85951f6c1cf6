package io.sluice.cli.console;

/** Whether to show stack traces and the logs of libraries. The variable {@code SLUICE_DEBUG} turns it on. */
public final class DebugMode {
    private DebugMode() {}

    public static boolean isOn() {
        return Boolean.getBoolean("sluice.debug") || System.getenv("SLUICE_DEBUG") != null;
    }
}
