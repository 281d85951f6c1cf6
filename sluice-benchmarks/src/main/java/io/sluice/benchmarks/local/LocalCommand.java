package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.ExitCode;
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
        description = "Measure decisions in one process, beside Guava, Bucket4j, Resilience4j, Failsafe and Sentinel.",
        footer = {
            "",
            "Standard output has the table as CSV. Standard error has the progress, all",
            "results and the targets.",
            "",
            "Columns of the table:",
            "  sluice_ns, best_peer_ns  nanoseconds per decision; in the row simulate,",
            "                           nanoseconds per line of input",
            "  ratio                    best_peer_ns / sluice_ns; above 1, Sluice is faster",
            "  sluice_alloc_bytes       bytes that a decision allocates; in the row",
            "                           million-keys-bytes, bytes of heap per key"
        })
public final class LocalCommand implements Callable<Integer> {
    private final PrintStream out;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--quick", description = "Take two minutes instead of nine. The results are less exact.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "CASE", description = "Run only this case; may be repeated.")
    private List<String> only = new ArrayList<>();

    public LocalCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        for (String name : only) {
            if (!LocalCases.names().contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--only " + name + " (expected: one of " + String.join(", ", LocalCases.names()) + ")");
            }
        }
        LocalCases cases = new LocalCases(quick ? JmhPlan.quick() : JmhPlan.full(), only);
        List<LocalResult> rows = cases.measure();
        LocalTable.printMatrix(rows, System.err);
        LocalTargets.print(rows, System.err);
        System.err.flush();
        LocalTable.printCsv(rows, out);
        out.flush();
        return cases.failed() ? ExitCode.FAILED : ExitCode.OK;
    }
}
