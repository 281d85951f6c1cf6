package io.sluice.server.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/** The metrics registry of a server: decisions, the JVM, and the build. */
public final class ServerMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();

    /**
     * Registers the metrics.
     *
     * @param histogram whether there are histograms of the latency
     * @param binders the metrics to register besides those of the JVM
     */
    public ServerMetrics(boolean histogram, List<? extends MeterBinder> binders) {
        if (histogram) {
            registry.config().meterFilter(new LatencyHistogram());
        }
        List<MeterBinder> jvm = List.of(
                gc,
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ClassLoaderMetrics(),
                new ProcessorMetrics(),
                new UptimeMetrics(),
                new FileDescriptorMetrics());
        jvm.forEach(binder -> binder.bindTo(registry));
        binders.forEach(binder -> binder.bindTo(registry));
        Gauge.builder("sluice.build.info", () -> 1)
                .description("Version of the server and of Java")
                .tag("version", version())
                .tag("java", Runtime.version().toString())
                .register(registry);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** The version in the manifest of the runnable jar. */
    public static String version() {
        String version = ServerMetrics.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
