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
                                "sluice bench: missing benchmark (expected: local, redis, server, spring or adaptive)\ntry: sluice bench --help\n"));
        assertThat(CommandRun.with("foo"))
                .isEqualTo(
                        new CommandRun(
                                2,
                                "",
                                "sluice bench: unknown benchmark \"foo\" (expected: local, redis, server, spring or adaptive)\ntry: sluice bench --help\n"));
    }

    @Test
    void help_ofServer_saysWhichRowsHaveAnotherUnit_inLinesThatFit() {
        String help = CommandRun.with("server", "--help").out();

        assertThat(help).contains("sluice_per_s", "heap-mb-", "-p999-us", "-blocked-us", "microseconds");
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void help_ofSpring_saysWhichRowsHaveAnotherUnit_inLinesThatFit() {
        String help = CommandRun.with("spring", "--help").out();

        assertThat(help).contains("sluice_per_s", "-cpu-ns", "nanoseconds", "actuator");
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void help_ofAdaptive_saysWhatTheColumnsAre_inLinesThatFit() {
        String help = CommandRun.with("adaptive", "--help").out();

        assertThat(help).contains("worst_goodput", "p99_ratio", "turns", "--plot", "--process");
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void spring_caseThatIsNone_isRefused() {
        CommandRun ran = CommandRun.with("spring", "--only", "mvc");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("--only mvc (expected: one of mvc-3-policies, gateway-hot-key)");
    }

    @Test
    void spring_withoutItsApplications_saysHowToStartIt() {
        CommandRun ran = CommandRun.with("spring", "--quick", "--only", "mvc-3-policies");

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
                .contains("no applications (expected: started by ./sluice bench spring, which builds them)");
    }
}
