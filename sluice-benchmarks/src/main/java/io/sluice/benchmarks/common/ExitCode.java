package io.sluice.benchmarks.common;

/** The exit codes of {@code sluice bench}. */
public final class ExitCode {
    public static final int OK = 0;

    /** A benchmark failed. */
    public static final int FAILED = 1;

    /** The command line cannot be used. */
    public static final int INVALID_INPUT = 2;

    private ExitCode() {}
}
