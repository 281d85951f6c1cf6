package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.testkit.redis.RedisProcess;
import org.junit.jupiter.api.Test;

/** If Redis fails, the run writes all decisions so far and fails with a message of one line. */
class SimulateRedisFailureIT {
    private static final String ROW = CommandRun.HEADER + "5,a,1\n";
    private static final String DECIDED = CommandRun.DECISIONS + "5,a,1,true,9,0,0,100000\n";

    private static CommandRun simulate(String uri) {
        return simulate(new ScriptedInput().then(ROW), uri);
    }

    /** Simulates one row, then runs an action, then simulates another row. */
    private static CommandRun around(Runnable event, RedisProcess on) {
        return simulate(new ScriptedInput().then(ROW).then(event).then("6,a,1\n"), on.uri());
    }

    private static CommandRun simulate(ScriptedInput in, String uri) {
        return CommandRun.with(in, "simulate", "--limit", "10/s", "--store", uri);
    }

    private static void assertEnded(CommandRun ran, RedisProcess redis, String reason) {
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out()).isEqualTo(DECIDED);
        assertThat(ran.err())
                .startsWith("sluice simulate: " + redis.uri() + ": " + reason)
                .hasLineCount(1);
    }

    @Test
    void redis_thatIsNotThere_isToldAtOnce() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.kill();

            assertThat(simulate(redis.uri()))
                    .isEqualTo(new CommandRun(
                            1, "", "sluice simulate: " + redis.uri() + ": cannot be reached: Connection refused\n"));
        }
    }

    @Test
    void host_thatNobodyKnows_isTold() {
        CommandRun ran = simulate("redis://:secret@nobody.invalid:1234/5");

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("sluice simulate: redis://nobody.invalid:1234/5: cannot be reached: ")
                .hasLineCount(1);
    }

    @Test
    void password_thatIsWrongOrMissing_isRefusedWithoutShowingIt() {
        try (RedisProcess redis = RedisProcess.start("--requirepass", "secret")) {
            String shown = "redis://127.0.0.1:" + redis.port();

            assertThat(simulate("redis://:guess@127.0.0.1:" + redis.port()))
                    .isEqualTo(
                            new CommandRun(
                                    2,
                                    "",
                                    "sluice simulate: " + shown
                                            + ": Redis refuses: WRONGPASS invalid username-password pair or user is disabled.\n"));
            assertThat(simulate(shown).err()).startsWith("sluice simulate: " + shown + ": Redis refuses: NOAUTH ");
            assertThat(simulate(redis.uri())).isEqualTo(new CommandRun(0, DECIDED, ""));
        }
    }

    @Test
    void address_thatIsBad_isRefused() {
        assertThat(simulate("redis://:secret@localhost:port"))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice simulate: --store redis://...: not the address of a Redis (expected:"
                                + " [[user]:password@]host[:port][/database], with %2F %3F %23 %40 for / ? # @ in a"
                                + " user or password)\n"));
        assertThat(simulate("redis-sentinel://:secret@localhost").err())
                .startsWith("sluice simulate: --store: not the URI of a Redis (expected: ")
                .hasLineCount(1)
                .doesNotContain("secret");
    }

    @Test
    void redis_thatMayOnlyBeRead_isRefused() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.command("REPLICAOF", "127.0.0.1", "1");

            CommandRun ran = simulate(redis.uri());

            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err())
                    .startsWith("sluice simulate: " + redis.uri() + ": Redis refuses: READONLY ")
                    .hasLineCount(1);
        }
    }

    @Test
    void user_whoMayNotDoEverything_isRefused() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.command("ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all", "-eval", "-evalsha");

            CommandRun ran = simulate("redis://reader:secret@127.0.0.1:" + redis.port());

            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains(": Redis refuses: NOPERM ").hasLineCount(1);
        }
    }

    @Test
    void redis_thatDies_endsTheRunWithWhatItDecided() {
        try (RedisProcess redis = RedisProcess.start()) {
            assertEnded(around(redis::kill, redis), redis, "Redis has failed: ");
        }
    }

    @Test
    void redis_thatHangs_endsTheRunWithWhatItDecided() {
        try (RedisProcess redis = RedisProcess.start()) {
            assertEnded(around(redis::pause, redis), redis, "Redis has failed: ");
        }
    }

    /** Decisions would be wrong, because the state of the rows before is lost. */
    @Test
    void redis_thatWasRestartedOrEmptied_endsTheRun() {
        try (RedisProcess redis = RedisProcess.start()) {
            String lost = "sluice simulate: " + redis.uri()
                    + ": Redis has lost the state of this run (was it restarted or emptied?)\n";

            assertThat(around(() -> redis.command("FLUSHALL"), redis)).isEqualTo(new CommandRun(1, DECIDED, lost));
            assertThat(around(redis::restart, redis))
                    .satisfies(ran -> assertThat(ran.out()).isEqualTo(DECIDED))
                    .returns(1, CommandRun::exitCode);
        }
    }

    /** The loss of state is detected even if the next row is centuries later. */
    @Test
    void redis_thatWasEmptiedBeforeALeapInTime_endsTheRun() {
        try (RedisProcess redis = RedisProcess.start()) {
            long last = (1L << 53) - 1;
            ScriptedInput leap = new ScriptedInput()
                    .then(ROW)
                    .then(() -> redis.command("FLUSHALL"))
                    .then(last + ",a,1\n" + last + ",a,1\n");

            CommandRun ran = simulate(leap, redis.uri());

            assertEnded(ran, redis, "Redis has lost the state of this run");
        }
    }

    @Test
    void redis_thatRunsFull_endsTheRun() {
        try (RedisProcess redis = RedisProcess.start()) {
            CommandRun ran = around(() -> redis.command("CONFIG", "SET", "maxmemory", "1"), redis);

            assertEnded(ran, redis, "Redis has failed: OOM ");
        }
    }
}
