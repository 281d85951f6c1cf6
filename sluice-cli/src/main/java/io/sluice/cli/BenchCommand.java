package io.sluice.cli;

import io.sluice.cli.console.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Listed here for the help only: the launcher runs the benchmarks from a jar of their own. */
@Command(
        name = "bench",
        description = "Measure Sluice beside other libraries: local, redis or server.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Runnable {
    @Parameters(paramLabel = "local|redis|server", description = "What to measure, and its options.")
    private List<String> arguments = new ArrayList<>();

    @Override
    public void run() {
        throw new InvalidInputException(
                "benchmarks are not in this jar (expected: run through ./sluice, as in ./sluice bench "
                        + (arguments.isEmpty() ? "local" : arguments.get(0)) + ")");
    }
}
