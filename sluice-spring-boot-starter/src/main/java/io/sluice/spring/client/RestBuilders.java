package io.sluice.spring.client;

import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Adds the clients with a URL to what builds or is a blocking client. */
final class RestBuilders {
    private RestBuilders() {}

    static void extend(RestClient.Builder builder, PacedClients clients) {
        builder.requestInterceptors(interceptors -> clients.addMissing(interceptors, PacingInterceptor::new));
    }

    static void extend(RestTemplate template, PacedClients clients) {
        clients.addMissing(template.getInterceptors(), PacingInterceptor::new);
    }
}
