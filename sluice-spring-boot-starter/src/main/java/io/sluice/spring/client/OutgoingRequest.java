package io.sluice.spring.client;

import java.net.URI;
import org.springframework.http.HttpHeaders;

/** A request to an API. */
record OutgoingRequest(String method, URI url, HttpHeaders headers) {
    String host() {
        return UrlPattern.host(url);
    }

    String path() {
        return UrlPattern.path(url);
    }
}
