package com.example.partner;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.partner.PartnerStub.Arrival;
import io.sluice.testkit.redis.RedisProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the job in three processes and looks at it with the eyes of the partner. */
class PartnerJobTest {
    /** What the partner allows: 10 calls in any 4 s. */
    private static final int ALLOWED = 10;

    private static final Duration WINDOW = Duration.ofSeconds(4);

    /** What the job asks for: 10 calls in 5 s, because a machine that builds may delay a call for long. */
    private static final String LIMIT = "leaky-bucket 10 per 5s capacity 100";

    private static final int CALLS = 25;

    @Test
    void threeProcesses_neverExceedThePartnersLimit() throws Exception {
        List<Process> processes = new ArrayList<>();
        try (RedisProcess redis = RedisProcess.start();
                PartnerStub partner = new PartnerStub(CALLS)) {
            try {
                for (String name : List.of("job-1", "job-2", "job-3")) {
                    processes.add(start(name, redis.uri(), partner.uri()));
                }
                assertThat(partner.awaitCalls()).as("%d calls have arrived", CALLS).isTrue();
            } finally {
                processes.forEach(Process::destroy);
                for (Process process : processes) {
                    process.waitFor();
                }
            }
            List<Arrival> arrivals = partner.arrivals();
            assertThat(arrivals).extracting(Arrival::process).contains("job-1", "job-2", "job-3");
            assertThat(mostInAWindow(arrivals)).isLessThanOrEqualTo(ALLOWED);
        }
    }

    private static Process start(String name, String redis, String partner) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                java, "-Xmx128m", "-cp", System.getProperty("java.class.path"), PartnerJob.class.getName());
        builder.environment().put("REDIS_URI", redis);
        builder.environment().put("PARTNER_URI", partner);
        builder.environment().put("PARTNER_LIMIT", LIMIT);
        builder.environment().put("PROCESS", name);
        return builder.redirectErrorStream(true)
                .redirectOutput(new File("target", name + ".log"))
                .start();
    }

    /** The most calls in any window, wherever it begins. */
    private static int mostInAWindow(List<Arrival> arrivals) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < arrivals.size(); last++) {
            while (arrivals.get(last).nanos() - arrivals.get(first).nanos() >= WINDOW.toNanos()) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
