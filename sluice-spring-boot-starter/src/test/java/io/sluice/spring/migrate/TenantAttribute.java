package io.sluice.spring.migrate;

import io.sluice.spring.RequestAttribute;
import java.security.Principal;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// docs
@Configuration(proxyBeanMethods = false)
class TenantAttribute {
    /** Users of this application have names such as ada@acme. */
    @Bean
    RequestAttribute tenant() {
        return RequestAttribute.of("tenant", request -> {
            Principal user = request.principal();
            return user == null ? null : user.getName().replaceFirst(".*@", "");
        });
    }
}
// end
