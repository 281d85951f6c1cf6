package io.sluice.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench local}: decisions in one process. */
@Command(
        name = "local",
        description = "Decisions in one process, beside Guava, Bucket4j, Resilience4j, Failsafe and Sentinel.",
        footer = {
            "",
            "Progress, all figures and how they stand to the targets go to standard error; the table goes to standard"
                    + " output: ratio is the best peer's time over ours, so above 1 we are faster."
        })
final class LocalCommand implements Callable<Integer> {
    private final PrintStream out;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--quick", description = "Within two minutes, and noisier; without it, about nine.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "CASE", description = "Only this case; may be repeated.")
    private List<String> only = new ArrayList<>();

    LocalCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        for (String name : only) {
            if (!Cases.names().contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--only " + name + " (expected: one of " + String.join(", ", Cases.names()) + ")");
            }
        }
        Cases cases = new Cases(quick ? Pace.quick() : Pace.full(), only);
        List<Row> rows = cases.measure();
        Table.printMatrix(rows, System.err);
        Targets.print(rows, System.err);
        System.err.flush();
        Table.printCsv(rows, out);
        out.flush();
        return cases.failed() ? Main.FAILED : 0;
    }
}
