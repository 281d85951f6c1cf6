package io.sluice.spring.client;

import org.jspecify.annotations.Nullable;

/** The key of a client's limit: the host, a fixed text, or the value of a request header. */
interface ClientKey {
    /** The key of a request. */
    String of(OutgoingRequest request);

    /** The key that {@code sluice.clients.NAME.key} describes. */
    static ClientKey parse(@Nullable String setting) {
        if (setting == null || setting.equals("host")) {
            return OutgoingRequest::host;
        }
        if (setting.startsWith("header.")) {
            String header = setting.substring("header.".length());
            return request -> {
                String value = request.headers().getFirst(header);
                return value == null ? "" : value;
            };
        }
        return request -> setting;
    }
}
