package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.console.Stdio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class SimulateOutputTest {
    @Test
    void json_isOneObjectALine() {
        CommandRun ran = CommandRun.with(
                CommandRun.HEADER + "5,a,1\n6,b,11\n", "simulate", "--limit", "leaky-bucket 10/s", "--format", "json");

        assertThat(ran).isEqualTo(new CommandRun(0, """
                        {"time_us":5,"key":"a","permits":1,"allowed":true,"remaining":9,"retry_after_us":0,"delay_us":0,"reset_after_us":100000}
                        {"time_us":6,"key":"b","permits":11,"allowed":false,"remaining":10,"retry_after_us":-1,"delay_us":0,"reset_after_us":0}
                        """, ""));
    }

    @Test
    void json_escapesKeys() {
        CommandRun ran = CommandRun.with(
                CommandRun.HEADER + "5,\"\"\"\\\b\f\n\r\t\u0001\u001f\u007f/é\uD83D\uDD11\u2028,\",1\n",
                "simulate",
                "--limit",
                "10/s",
                "--format",
                "json");

        assertThat(ran.out())
                .startsWith(
                        "{\"time_us\":5,\"key\":\"\\\"\\\\\\u0008\\u000c\\n\\r\\t\\u0001\\u001f\u007f/é\uD83D\uDD11\u2028,\",");
    }

    @Test
    void limits_thatAreSeveral_decideEachByItself() {
        CommandRun ran = CommandRun.with(
                CommandRun.HEADER + "0,a,1\n1,a,1\n",
                "simulate",
                "--limit",
                "1/s",
                "--limit",
                "fixed-window 2 per 60s",
                "--limit",
                "1/sec");

        assertThat(ran).isEqualTo(new CommandRun(0, """
                        limit,time_us,key,permits,allowed,remaining,retry_after_us,delay_us,reset_after_us
                        token-bucket 1/s,0,a,1,true,0,0,0,1000000
                        fixed-window 2/min,0,a,1,true,1,0,0,60000000
                        token-bucket 1/s,0,a,1,true,0,0,0,1000000
                        token-bucket 1/s,1,a,1,false,0,999999,0,999999
                        fixed-window 2/min,1,a,1,true,0,0,0,59999999
                        token-bucket 1/s,1,a,1,false,0,999999,0,999999
                        """, ""));
    }

    @Test
    void limits_thatAreSeveral_areNamedInJson() {
        CommandRun ran = CommandRun.with(
                CommandRun.HEADER + "0,a,1\n", "simulate", "--limit", "1/s", "--limit", "blocked", "--format", "json");

        assertThat(ran.out()).isEqualTo("""
                        {"limit":"token-bucket 1/s","time_us":0,"key":"a","permits":1,"allowed":true,"remaining":0,"retry_after_us":0,"delay_us":0,"reset_after_us":1000000}
                        {"limit":"blocked","time_us":0,"key":"a","permits":1,"allowed":false,"remaining":0,"retry_after_us":-1,"delay_us":0,"reset_after_us":0}
                        """);
    }

    @Test
    void decisions_areOutBeforeMoreInputIsAwaited() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ScriptedInput pipe = new ScriptedInput()
                .then(CommandRun.HEADER + "5,a,1\n")
                .then(() ->
                        assertThat(out.toString(UTF_8)).isEqualTo(CommandRun.DECISIONS + "5,a,1,true,9,0,0,100000\n"));

        assertThat(run(pipe, out)).isEqualTo(new CommandRun(0, "", ""));
    }

    @Test
    void reader_thatHasGone_endsTheRunQuietly() {
        assertThat(run(rows(), failing("Broken pipe"))).isEqualTo(new CommandRun(141, "", ""));
    }

    @Test
    void output_thatFails_isReported() {
        assertThat(run(rows(), failing("No space left on device")))
                .isEqualTo(new CommandRun(1, "", "sluice simulate: standard output: No space left on device\n"));
    }

    private static InputStream rows() {
        return new ByteArrayInputStream((CommandRun.HEADER + "5,a,1\n".repeat(10_000)).getBytes(UTF_8));
    }

    private static CommandRun run(InputStream in, OutputStream out) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(err, true, UTF_8);
        int exitCode = CommandRun.run(new Stdio(in, out, printed, false), "simulate", "--limit", "10/s");
        return new CommandRun(exitCode, "", err.toString(UTF_8));
    }

    private static OutputStream failing(String reason) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
