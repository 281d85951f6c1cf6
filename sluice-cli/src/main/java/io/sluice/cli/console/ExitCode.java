package io.sluice.cli.console;

/** The exit codes of the {@code sluice} command. */
public final class ExitCode {
    public static final int OK = 0;

    /** The input could be used, but something failed: a store, the network, the machine, or this program. */
    public static final int FAILED = 1;

    /** The command line, a file or a setting cannot be used. */
    public static final int INVALID_INPUT = 2;

    /** The reader of standard output has closed it. A shell reports the same for SIGPIPE. */
    public static final int BROKEN_PIPE = 141;

    private ExitCode() {}
}
