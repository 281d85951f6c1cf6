package io.sluice.spring.migrate;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

// docs
@Component
class PartnerOrders {
    private final RestClient partner;

    PartnerOrders(RestClient.Builder builder, @Value("${partner.url}") String url) {
        this.partner = builder.baseUrl(url).build();
    }

    @Nullable
    String order(String id) {
        return partner.get().uri("/orders/{id}", id).retrieve().body(String.class);
    }
}
// end
