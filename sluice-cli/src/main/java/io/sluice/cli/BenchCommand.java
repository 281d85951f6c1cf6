package io.sluice.cli;

import io.sluice.cli.console.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice bench}, for the help only: the launcher runs the benchmarks from their own jar. */
@Command(
        name = "bench",
        description = "Compare the speed of Sluice with other libraries: local, redis, server or spring.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Runnable {
    @Parameters(paramLabel = "local|redis|server|spring", description = "The benchmark to run, and its options.")
    private List<String> arguments = new ArrayList<>();

    @Override
    public void run() {
        throw new InvalidInputException(
                "the benchmarks are not in this jar (expected: the launcher, as in ./sluice bench "
                        + (arguments.isEmpty() ? "local" : arguments.get(0)) + ")");
    }
}
