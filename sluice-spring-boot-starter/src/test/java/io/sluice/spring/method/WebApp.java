package io.sluice.spring.method;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** A real application with its server, the memory store and the policy {@code per-user}, without metrics and Redis. */
final class WebApp implements AutoCloseable {
    /** They come with jars of Spring Boot 4 that the starter is compiled against, and do not fit to Spring Boot 3. */
    private static final String EXCLUDED = String.join(
            ",",
            "org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.application.DiskSpaceHealthContributorAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.application.SslHealthContributorAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
            "org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration",
            "org.springframework.boot.restclient.autoconfigure.RestClientObservationAutoConfiguration",
            "org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration",
            "org.springframework.boot.restclient.autoconfigure.RestTemplateObservationAutoConfiguration",
            "org.springframework.boot.restclient.autoconfigure.service.HttpServiceClientAutoConfiguration");

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private WebApp(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static WebApp start(Class<?> configuration, WebApplicationType type) {
        return new WebApp(new SpringApplicationBuilder(configuration)
                .web(type)
                .resourceLoader(new DefaultResourceLoader(
                        new FilteredClassLoader("io.micrometer", "org.springframework.data.redis")))
                .properties(
                        "server.port=0",
                        "spring.autoconfigure.exclude=" + EXCLUDED,
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
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }
}
