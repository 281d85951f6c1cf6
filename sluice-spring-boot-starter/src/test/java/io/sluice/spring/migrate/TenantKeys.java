package io.sluice.spring.migrate;

import java.security.Principal;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// docs
@Configuration(proxyBeanMethods = false)
class TenantKeys {
    @Bean
    KeyResolver tenants() {
        return exchange -> exchange.getPrincipal().map(Principal::getName);
    }
}
// end
