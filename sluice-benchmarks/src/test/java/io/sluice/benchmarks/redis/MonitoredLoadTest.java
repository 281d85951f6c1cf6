package io.sluice.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.OnFailure;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MonitoredLoadTest {
    private final MonitoredLoad.Traffic traffic = new MonitoredLoad.Traffic();

    @Test
    void load_ofWhichACallIsAnsweredWithoutRedis_fails() {
        Load load = new MonitoredLoad(
                time -> {
                    traffic.degraded("api", OnFailure.ALLOW);
                    return new Sample(10, 1, 1);
                },
                traffic);

        assertThatThrownBy(() -> load.run(Duration.ZERO)).hasMessageStartingWith("1 calls were answered without Redis");
    }

    @Test
    void reachedShare_isThatOfAllRuns() throws InterruptedException {
        traffic.called(1000, 1);
        MonitoredLoad load = new MonitoredLoad(
                time -> {
                    traffic.called(3, 1);
                    return new Sample(100, 1, 1);
                },
                traffic);

        load.run(Duration.ZERO);
        load.run(Duration.ZERO);

        assertThat(load.reachedShare()).isEqualTo(0.03);
    }
}
