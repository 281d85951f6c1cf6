package io.sluice.benchmarks.server;

import io.sluice.benchmarks.load.Executables;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.RedisBenchmark;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** RESP loads with 50 connections and 16 commands in each write, by redis-benchmark if it is installed. */
final class RespLoads {
    private static final int CONNECTIONS = 50;
    private static final int PIPELINE = 16;
    private static final String KEY = "__rand_int__";

    private RespLoads() {}

    /**
     * A load on a server of this machine.
     *
     * @param aboutPerSecond the expected calls per second
     * @param lines the number of lines in a reply
     * @param call the words of a call; {@code __rand_int__} in one of them is replaced by a number
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

    /** One call in the form of redis-benchmark. */
    static byte[] command(List<String> call, int number) {
        List<String> words = new ArrayList<>();
        for (String word : call) {
            words.add(word.replace(KEY, "%012d".formatted(number)));
        }
        return PipelinedSocket.command(words);
    }
}
