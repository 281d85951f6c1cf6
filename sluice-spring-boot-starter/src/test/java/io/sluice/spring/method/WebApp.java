package io.sluice.spring.method;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** A real application with its server, the memory store and the policy {@code per-user}, without Redis. */
final class WebApp implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private WebApp(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static WebApp start(Class<?> configuration, WebApplicationType type) {
        return new WebApp(new SpringApplicationBuilder(configuration)
                .web(type)
                .resourceLoader(new DefaultResourceLoader(new FilteredClassLoader("org.springframework.data.redis")))
                .properties(
                        "server.port=0",
                        "spring.cloud.gateway.enabled=false",
                        "spring.cloud.gateway.server.webflux.enabled=false",
                        "sluice.store=memory",
                        "sluice.web.enabled=false")
                .properties(MethodContexts.policy("per-user", "user", "1/min"))
                .run());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }
}
