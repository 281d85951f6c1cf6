package io.sluice.benchmarks.server;

import io.sluice.benchmarks.load.Executables;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.RedisBenchmark;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Calls over RESP, with 50 connections and 16 commands in a write: by redis-benchmark, where it is installed. */
final class Throttles {
    private static final int CONNECTIONS = 50;
    private static final int PIPELINE = 16;
    private static final String KEY = "__rand_int__";

    private Throttles() {}

    /**
     * A load on a server of this machine.
     *
     * @param aboutPerSecond what is to be expected
     * @param lines how many lines a reply has
     * @param call the words, in one of which {@code __rand_int__} stands for a number
     */
    static Load on(int port, int keys, long aboutPerSecond, int lines, List<String> call) {
        return Executables.find(RedisBenchmark.NAME)
                .<Load>map(command -> new RedisBenchmark(
                        command,
                        List.of("-h", "127.0.0.1", "-p", Integer.toString(port)),
                        CONNECTIONS,
                        PIPELINE,
                        keys,
                        aboutPerSecond,
                        call))
                .orElseGet(() ->
                        new PipelinedLoad(port, CONNECTIONS, PIPELINE, lines, () -> commands(PIPELINE, keys, call)));
    }

    private static byte[] commands(int count, int keys, List<String> call) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            bytes.writeBytes(command(call, ThreadLocalRandom.current().nextInt(keys)));
        }
        return bytes.toByteArray();
    }

    /** One call, as redis-benchmark would make it. */
    static byte[] command(List<String> call, int number) {
        List<String> words = new ArrayList<>();
        for (String word : call) {
            words.add(word.replace(KEY, "%012d".formatted(number)));
        }
        return PipelinedSocket.command(words);
    }
}
