package io.sluice.spring.actuate;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The endpoint {@code sluice}, if it is exposed: {@code management.endpoints.web.exposure.include=sluice}. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(endpoint = SluiceEndpoint.class)
@ConditionalOnSingleCandidate(PolicyEngine.class)
@Import(StoreStatusConfiguration.class)
public class SluiceEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SluiceEndpoint sluiceEndpoint(PolicyEngine engine, StoreStatus store) {
        return new SluiceEndpoint(engine, store);
    }

    @Bean
    @ConditionalOnMissingBean
    SluiceWebEndpoint sluiceWebEndpoint(SluiceEndpoint endpoint) {
        return new SluiceWebEndpoint(endpoint);
    }
}
