package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void benchmark_missingOrUnknown_isRefusedWithTheNames() {
        assertThat(CommandRun.with())
                .isEqualTo(
                        new CommandRun(
                                2,
                                "",
                                "sluice bench: missing benchmark (expected: local, redis or server)\ntry: sluice bench --help\n"));
        assertThat(CommandRun.with("foo"))
                .isEqualTo(
                        new CommandRun(
                                2,
                                "",
                                "sluice bench: unknown benchmark \"foo\" (expected: local, redis or server)\ntry: sluice bench --help\n"));
    }

    @Test
    void help_ofServer_saysWhichRowsHaveAnotherUnit_inLinesThatFit() {
        String help = CommandRun.with("server", "--help").out();

        assertThat(help).contains("sluice_per_s", "heap-mb-", "-p999-us", "-blocked-us", "microseconds");
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    }
}
