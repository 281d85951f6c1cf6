package io.sluice.adapt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalsTest {
    @TempDir
    Path root;

    private long now = 1_000_000;
    private final TimeSource time = () -> now;

    @Test
    void cpu_ofAGroupOfVersion2_isOfItsQuota() throws IOException {
        write("proc/self/cgroup", "0::/app/web\n");
        write("sys/fs/cgroup/app/web/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/app/cpu.max", "150000 100000\n");
        write("sys/fs/cgroup/app/cpu.stat", "usage_usec 5000000\nuser_usec 1\n");
        DoubleSupplier cpu = CpuSignal.of(new CpuFiles(root), time);

        now += 1_000_000;
        write("sys/fs/cgroup/app/cpu.stat", "usage_usec 5750000\nuser_usec 1\n");
        assertThat(cpu.getAsDouble()).isEqualTo(0.5);
        now += 1_000_000;
        assertThat(cpu.getAsDouble()).isZero();
        now += 1_000_000;
        write("sys/fs/cgroup/app/cpu.stat", "usage_usec 9750000\nuser_usec 1\n");
        assertThat(cpu.getAsDouble()).isEqualTo(1);
    }

    @Test
    void cpu_ofAQuotaForMoreCpusThanTheProcessMayUse_isOfThose() throws IOException {
        write("proc/self/cgroup", "0::/app\n");
        write("proc/self/status", "Cpus_allowed_list:\t0-1\n");
        write("sys/fs/cgroup/app/cpu.max", "800000 100000\n");
        write("sys/fs/cgroup/app/cpu.stat", "usage_usec 0\n");
        DoubleSupplier cpu = CpuSignal.of(new CpuFiles(root), time);

        now += 1_000_000;
        write("sys/fs/cgroup/app/cpu.stat", "usage_usec 1800000\n");
        assertThat(cpu.getAsDouble()).isEqualTo(0.9, offset(1e-9));
    }

    @Test
    void cpu_ofAGroupOfVersion1_isOfItsQuota() throws IOException {
        write("proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/docker/1\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "1000000000\n");
        DoubleSupplier cpu = CpuSignal.of(new CpuFiles(root), time);

        now += 1_000_000;
        write("sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "1400000000\n");
        assertThat(cpu.getAsDouble()).isEqualTo(0.8, offset(1e-9));
    }

    @Test
    void cpu_withoutAQuota_isOfTheCpusThatTheProcessMayUse() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t1,3-3\n");
        write("proc/stat", "cpu 0 0 0 0\ncpu0 900 0 0 0 0 0 0 0\ncpu1 10 0 10 500 0 0 0 0\ncpu3 0 0 0 7 0 0 0 0\n");
        DoubleSupplier cpu = CpuSignal.of(new CpuFiles(root), time);

        now += 1_000_000;
        write("proc/stat", "cpu 0 0 0 0\ncpu0 999 0 0 0 0 0 0 0\ncpu1 80 0 20 520 0 0 0 0\ncpu3 10 0 10 87 0 0 0 0\n");
        assertThat(cpu.getAsDouble()).isEqualTo(0.5, offset(1e-9));
    }

    /** Where CPUs can be added while it runs, a process is allowed to use many that do not exist. */
    @Test
    void cpu_ofAMachineWithFewerCpusThanAreAllowed_isOfThoseThatThereAre() throws IOException {
        write("proc/self/cgroup", "0::/app\n");
        write("proc/self/status", "Cpus_allowed_list:\t0-127\n");
        write("proc/stat", "cpu 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\nintr 0\n");
        DoubleSupplier cpu = CpuSignal.of(new CpuFiles(root), time);

        now += 1_000_000;
        write("proc/stat", "cpu 0 0 0 0\ncpu0 100 0 0 0 0 0 0 0\ncpu1 80 0 0 20 0 0 0 0\nintr 0\n");
        assertThat(cpu.getAsDouble()).isEqualTo(0.9, offset(1e-9));

        write("sys/fs/cgroup/app/cpu.max", "800000 100000\n");
        write("sys/fs/cgroup/app/cpu.stat", "usage_usec 0\n");
        DoubleSupplier ofQuota = CpuSignal.of(new CpuFiles(root), time);
        now += 1_000_000;
        write("sys/fs/cgroup/app/cpu.stat", "usage_usec 1000000\n");
        assertThat(ofQuota.getAsDouble()).isEqualTo(0.5, offset(1e-9));
    }

    @Test
    void cpu_whereNothingIsKnown_isNotANumber() {
        DoubleSupplier cpu = CpuSignal.of(new CpuFiles(root), time);

        now += 1_000_000;
        assertThat(cpu.getAsDouble()).isNaN();
    }

    @Test
    void latency_isThePercentileSinceTheLastReading_asAShareOfTheTarget() {
        LatencySignal latency = Signals.latency(99, Duration.ofMillis(100));
        assertThat(latency.getAsDouble()).isNaN();
        for (int i = 1; i <= 100; i++) {
            latency.report(Duration.ofMillis(i));
        }

        assertThat(latency.getAsDouble()).isEqualTo(0.99, offset(0.03));
        assertThat(latency.getAsDouble()).isNaN();
    }

    @Test
    void latency_isRightWithin3Percent_atEveryMagnitude() {
        for (long micros = 1; micros < 1L << 50; micros = micros * 7 / 3 + 1) {
            LatencySignal latency = Signals.latency(50, Duration.ofSeconds(1));
            latency.reportMicros(micros);
            assertThat(latency.getAsDouble() * 1_000_000).isBetween(micros * 0.999999, micros * 1.032);
        }
    }

    @Test
    void errors_areAShareOfTheRequestsSinceTheLastReading() {
        ErrorSignal errors = Signals.errors();
        assertThat(errors.getAsDouble()).isNaN();
        errors.report(true);
        errors.report(false);
        errors.report(false);
        errors.report(false);

        assertThat(errors.getAsDouble()).isEqualTo(0.25);
        assertThat(errors.getAsDouble()).isNaN();
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
