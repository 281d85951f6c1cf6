package io.sluice.spring.web;

import io.sluice.TimeSource;
import io.sluice.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A running application on a free port, with manual time. Close it after use. */
public final class TestApplication implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final TestClient client;

    /** Starts an application. The properties are texts such as {@code name=value}. */
    public TestApplication(WebApplicationType type, List<Class<?>> sources, List<String> properties) {
        List<String> all = new ArrayList<>(properties);
        all.add("server.port=0");
        // The gateway is on the class path, for its own tests. Its setting has another name in each line.
        all.add("spring.cloud.gateway.enabled=false");
        all.add("spring.cloud.gateway.server.webflux.enabled=false");
        all.add("spring.cloud.gateway.redis.enabled=false");
        all.add("spring.cloud.gateway.server.webflux.redis.enabled=false");
        context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(type)
                .properties(all.toArray(String[]::new))
                .bannerMode(Banner.Mode.OFF)
                .initializers(context -> context.getBeanFactory().registerSingleton("manualTime", new ManualTime()))
                .run();
        client = new TestClient(Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port")));
    }

    public TestClient client() {
        return client;
    }

    /** The port of the management server, if it has its own. */
    public int managementPort() {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.management.port"));
    }

    public ManualTime time() {
        return (ManualTime) context.getBean(TimeSource.class);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
