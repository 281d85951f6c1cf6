package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/*
 * What a call allocates depends on the compiler, which may remove objects that nobody keeps. So the calls run in a JVM of
 * their own with the default compiler, whatever options the tests have. It compiles in the foreground: on a busy machine, too,
 * the calls that are measured are compiled.
 */
/**
 * On the memory store, {@code tryAcquire} of a gate allocates nothing, {@code check} only its decision, and {@code tryEnter} only the
 * permit.
 */
class AllocationTest {
    private static final int MOST_FOR_A_DECISION = 64;

    /** The permit, its decision, and the weak reference by which it is renewed. */
    private static final int MOST_FOR_A_PERMIT = 200;

    /**
     * Of each algorithm, a limit that allows the calls and one that denies them. The log is so short that it never grows: its
     * entries are the state of the key.
     */
    private static final List<String> LIMITS = List.of(
            "1000000000/s",
            "1/d",
            "1000000000/s refill interval",
            "1/d refill interval",
            "leaky-bucket 1000000000/s",
            "leaky-bucket 1/d",
            "fixed-window 1000000000/s",
            "fixed-window 1/d",
            "fixed-window 1000000000/s from-first",
            "fixed-window 1/d from-first",
            "fixed-window 1000000000 per month zone Europe/Berlin",
            "fixed-window 1 per year zone Europe/Berlin",
            "sliding-log 4 per 1ms",
            "sliding-log 1/d",
            "sliding-counter 1000000000/s",
            "sliding-counter 1/d",
            "warm-up 1000000000/s over 10s",
            "warm-up 1/d over 1d",
            "warm-up 7/s over 10s",
            // Their products do not fit a long.
            "warm-up 7/s over 30d" + AllocationProbe.SLOW,
            "warm-up 1/s over 365d" + AllocationProbe.SLOW,
            "1000000000/s lockout 1h",
            "fixed-window 1/d lockout 1h",
            "fixed-window 1 per year lockout 1h escalate 3",
            "unlimited",
            "blocked");

    @Test
    void calls_ofEveryAlgorithm_allocateAtMostTheDecision() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xbatch",
                "-cp",
                System.getProperty("java.class.path"),
                AllocationProbe.class.getName()));
        command.addAll(LIMITS);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();

        List<String> lines = new ArrayList<>(printed.lines().toList());
        String entered = lines.remove(lines.size() - 1);
        assertThat(entered).startsWith(AllocationProbe.ENTER);
        assertThat(Long.parseLong(entered.split(",", -1)[1])).as(entered).isBetween(0L, (long) MOST_FOR_A_PERMIT);
        assertThat(lines).hasSameSizeAs(LIMITS);
        assertThat(lines).allSatisfy(line -> {
            String[] fields = line.split(",", -1);
            assertThat(Long.parseLong(fields[1])).as("tryAcquire of a gate").isZero();
            assertThat(Long.parseLong(fields[2])).as("check of a gate").isBetween(0L, (long) MOST_FOR_A_DECISION);
            assertThat(Long.parseLong(fields[3])).as("check by name").isBetween(0L, (long) MOST_FOR_A_DECISION);
        });
    }
}
