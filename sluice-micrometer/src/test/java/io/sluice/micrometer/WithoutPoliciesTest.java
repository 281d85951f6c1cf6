package io.sluice.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Decision;
import io.sluice.OnFailure;
import io.sluice.memory.MemoryStore;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A program without {@code sluice-policy} can measure its limiters and stores. */
class WithoutPoliciesTest {
    /** A program for a class loader of its own. */
    public static final class Program implements Runnable {
        @Override
        public void run() {
            MeterRegistry registry = new SimpleMeterRegistry();
            LimiterMetrics limiters = new LimiterMetrics();
            limiters.bindTo(registry);
            limiters.decided("api", "user-1", 1, Decision.allowed(1, 0, 0));
            limiters.waited("api", "user-1", 1, true, Duration.ofMillis(1));
            StoreMetrics store = new StoreMetrics();
            store.bindTo(registry);
            store.called(1, 1);
            store.degraded("api", OnFailure.ALLOW);
            MemoryStore memory = MemoryStore.create();
            new MemoryStoreMetrics(memory).bindTo(registry);
            registry.getMeters().forEach(meter -> meter.measure().forEach(measurement -> measurement.getValue()));
            memory.close();
        }
    }

    private static URLClassLoader withoutPolicies() {
        URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("sluice-policy"))
                .map(WithoutPoliciesTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(entry, e);
        }
    }

    @Test
    void limitersAndStores_withoutThePolicyModule_areMeasured() throws Exception {
        try (URLClassLoader loader = withoutPolicies()) {
            Class<?> program = loader.loadClass(Program.class.getName());
            assertThat(program.getClassLoader()).isSameAs(loader);
            ((Runnable) program.getDeclaredConstructor().newInstance()).run();
        }
    }

    @Test
    void policyMetrics_withoutThePolicyModule_cannotBeUsed() throws Exception {
        try (URLClassLoader loader = withoutPolicies()) {
            Class<?> metrics = loader.loadClass(PolicyMetrics.class.getName());
            assertThatThrownBy(metrics::getDeclaredConstructors)
                    .as("the class loader really hides the module")
                    .isInstanceOf(NoClassDefFoundError.class)
                    .hasMessageContaining("io/sluice/policy/");
        }
    }
}
