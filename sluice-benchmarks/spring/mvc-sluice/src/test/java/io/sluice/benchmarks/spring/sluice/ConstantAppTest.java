package io.sluice.benchmarks.spring.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.spring.mvc.ConstantApp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class ConstantAppTest {
    @Test
    void constant_withThreePolicies_isAnsweredAndCountedByAll() throws Exception {
        try (ConfigurableApplicationContext app =
                new SpringApplicationBuilder(ConstantApp.class).run("--server.port=0")) {
            String port = app.getEnvironment().getRequiredProperty("local.server.port");
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/constant"))
                    .header("X-Api-Key", "k")
                    .build();

            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("constant");
            assertThat(answer.headers().firstValue("RateLimit").orElse(""))
                    .contains("\"global\";r=", "\"per-key\";r=", "\"per-ip\";r=");
        }
    }
}
