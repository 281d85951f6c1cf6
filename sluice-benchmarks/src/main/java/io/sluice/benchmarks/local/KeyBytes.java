package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.JavaProcess;
import io.sluice.benchmarks.common.ProgressLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The heap that each key needs in addition to its text, measured with a million keys in a separate JVM. */
final class KeyBytes {
    static final String NAME = "million-keys-bytes";
    static final String PEER = "Bucket4j+Caffeine";

    private KeyBytes() {}

    static LocalResult measure(ProgressLog progress) throws IOException, InterruptedException {
        LocalMeasurement sluice = new LocalMeasurement("Sluice", null, bytes("sluice"));
        LocalMeasurement peer = new LocalMeasurement(PEER, null, bytes("bucket4j"));
        progress.log(String.format("%s: Sluice %.0f, %s %.0f", NAME, sluice.bytes(), PEER, peer.bytes()));
        return new LocalResult(NAME, sluice, List.of(peer));
    }

    private static double bytes(String who) throws IOException, InterruptedException {
        Process process = JavaProcess.of(List.of("-Xms2g", "-Xmx2g", "-XX:+UseSerialGC"), KeyBytes.class, who)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        JavaProcess.await(process, NAME + " " + who);
        return Double.parseDouble(printed.strip());
    }

    /** Prints the bytes for each key. */
    public static void main(String... args) {
        String[] keys = MillionKeys.keys();
        long before = used();
        Object kept = args[0].equals("sluice") ? new SluiceKeys(keys) : new Bucket4jKeys(keys);
        long after = used();
        if (keys.length + kept.hashCode() == 0) {
            throw new IllegalStateException("unreachable: this line only keeps all objects alive");
        }
        System.out.println((after - before) / (double) keys.length);
    }

    private static long used() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
