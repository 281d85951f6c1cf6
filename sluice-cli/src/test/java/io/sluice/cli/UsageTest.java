package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FilterInputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class UsageTest {
    private static void assertMisused(String command, String problem, String... args) {
        assertThat(CommandRun.with("", args))
                .isEqualTo(new CommandRun(2, "", command + ": " + problem + "\ntry: " + command + " --help\n"));
    }

    @Test
    void help_listsTheCommands() {
        CommandRun ran = CommandRun.with("", "--help");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .startsWith("Usage: sluice ")
                .contains("\n  serve ")
                .contains("\n  simulate ")
                .contains("\n  validate ")
                .contains("\n  explain ")
                .contains("\n  image ")
                .contains("\n  bench ");
    }

    @Test
    void help_ofSimulate_namesEveryOption() {
        CommandRun ran = CommandRun.with("", "simulate", "--help");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("--limit", "--config", "--diff", "--top", "--format", "--store", "--plot", "FILE")
                .contains("time_us,key,permits", "{\"time_us\":0,\"attributes\":{\"tenant\":\"acme\"},\"permits\":1}");
    }

    @Test
    void version_isPrinted() {
        CommandRun ran = CommandRun.with("", "--version");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("sluice ").hasLineCount(1);
    }

    @Test
    void command_thatIsMissingOrUnknown_isRefused() {
        assertMisused("sluice", "missing command (expected: one of serve, simulate, validate, explain, image, bench)");
        assertMisused("sluice", "unknown command \"simulat\" (did you mean: simulate?)", "simulat");
        assertMisused(
                "sluice",
                "unknown command \"foo\" (expected: one of serve, simulate, validate, explain, image, bench)",
                "foo");
        assertMisused("sluice", "unknown option --x", "--x");
        assertMisused("sluice serve", "unknown option --confg (did you mean: --config?)", "serve", "--confg=p.yaml");
    }

    @Test
    void simulate_withoutLimitAndConfig_isRefused() {
        assertMisused(
                "sluice simulate",
                "missing --limit TEXT or --config FILE (expected: a limit such as 600/min, or policies)",
                "simulate");
        assertMisused(
                "sluice simulate", "missing required parameter for option '--limit' (TEXT)", "simulate", "--limit");
    }

    @Test
    void simulate_withWhatItDoesNotKnow_isRefused() {
        assertMisused("sluice simulate", "unknown option --lim (did you mean: --limit?)", "simulate", "--lim", "1/s");
        assertMisused(
                "sluice simulate",
                "--format \"xml\" (expected: csv or json)",
                "simulate",
                "--limit",
                "1/s",
                "--format",
                "xml");
        assertMisused(
                "sluice simulate",
                "--store \"disk\" (expected: memory, redis://..., rediss://... or redis-sentinel://...)",
                "simulate",
                "--limit",
                "1/s",
                "--store",
                "disk");
        assertMisused(
                "sluice simulate",
                "unexpected argument \"20\" (a text of several words needs quotes)",
                "simulate",
                "--limit",
                "10/s",
                "burst",
                "20");
    }

    @Test
    void simulate_withOptionsThatDoNotGoTogether_isRefused() {
        String command = "sluice simulate";
        assertMisused(
                command, "--limit and --config (expected: one of them)", "simulate", "--limit", "1/s", "--config", "p");
        assertMisused(
                command,
                "--plot and --diff (expected: one of them)",
                "simulate",
                "--config",
                "p",
                "--diff",
                "q",
                "--plot",
                "p.svg");
        assertMisused(
                command,
                "--diff without --config (expected: --config FILE, the policies to compare with)",
                "simulate",
                "--limit",
                "1/s",
                "--diff",
                "q");
        assertMisused(
                command,
                "--top without --diff (expected: --diff OTHER, whose keys it limits)",
                "simulate",
                "--config",
                "p",
                "--top",
                "3");
        assertMisused(
                command,
                "--top \"many\" (expected: a whole number from 0 to 10000)",
                "simulate",
                "--config",
                "p",
                "--diff",
                "q",
                "--top",
                "many");
        assertMisused(command, "--format \"csv\" (expected: json)", "simulate", "--config", "p", "--format", "csv");
        assertMisused(
                command,
                "--format \"csv\" (expected: text or json)",
                "simulate",
                "--config",
                "p",
                "--diff",
                "q",
                "--format",
                "csv");
    }

    @Test
    void store_thatMayHoldAPassword_isNotShown() {
        assertMisused(
                "sluice simulate",
                "--store ... (expected: memory, redis://..., rediss://... or redis-sentinel://...)",
                "simulate",
                "--limit",
                "1/s",
                "--store",
                "Redis://:secret@localhost");
    }

    @Test
    void bench_inThisJar_saysHowToRunIt() {
        assertThat(CommandRun.with("", "bench", "redis"))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice bench: the benchmarks are not in this jar"
                                + " (expected: the launcher, as in ./sluice bench redis)\n"));
    }

    @Test
    void error_withinTheCommand_isOneLine() {
        InputStream buggy = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] bytes, int from, int count) {
                throw new IllegalStateException("a bug");
            }
        };

        assertThat(CommandRun.with(buggy, "simulate", "--limit", "10/s"))
                .isEqualTo(new CommandRun(
                        1,
                        "",
                        "sluice simulate: internal error: java.lang.IllegalStateException: a bug"
                                + " (SLUICE_DEBUG=1 shows where)\n"));
    }
}
