package io.sluice.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/** The endpoint over HTTP: a refused request gets a response that says why. Without it, Spring Boot leaves out the text. */
@EndpointWebExtension(endpoint = SluiceEndpoint.class)
final class SluiceWebEndpoint {
    private final SluiceEndpoint endpoint;

    SluiceWebEndpoint(SluiceEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** {@link SluiceEndpoint#section}. */
    @ReadOperation
    WebEndpointResponse<Map<String, Object>> section(
            @Selector String section, @Nullable String n, @Nullable Object attribute, @Nullable String permits) {
        try {
            Map<String, Object> fields = endpoint.section(section, n, attribute, permits);
            return fields == null
                    ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
                    : new WebEndpointResponse<>(fields);
        } catch (InvalidEndpointRequestException e) {
            Map<String, Object> problem = new LinkedHashMap<>();
            problem.put("status", WebEndpointResponse.STATUS_BAD_REQUEST);
            problem.put("detail", e.getReason());
            return new WebEndpointResponse<>(problem, WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }
}
