package io.sluice.spring.client;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Paces the HTTP clients of an application. With {@code sluice.enabled: false} they are there, but do not wait. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnClass(ClientHttpRequestInterceptor.class)
@EnableConfigurationProperties(SluiceProperties.class)
public class SluiceClientAutoConfiguration {

    /** The clients of the settings. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
    static class Enabled {
        @Bean
        PacedClients sluicePacedClients(
                SluiceProperties settings,
                PolicyStore store,
                PolicyEngine engine,
                NamedPolicies named,
                DecisionObserver observer,
                ObjectProvider<TimeSource> time) {
            ClientSettings clients = new ClientSettings(
                    store,
                    engine,
                    named,
                    observer,
                    settings.redis().onFailure(),
                    time.getIfAvailable(TimeSource::system));
            return new PacedClients(settings.clients(), clients::client);
        }
    }

    /** The same clients, which do not wait. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "sluice.enabled", havingValue = "false")
    static class Disabled {
        @Bean
        PacedClients sluicePacedClients(SluiceProperties settings) {
            return new PacedClients(settings.clients(), ClientSettings::disabled);
        }
    }

    /** {@code RestClient} and {@code RestTemplate}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClient.class)
    static class ForRestClient {
        @Bean
        @ConditionalOnMissingBean
        SluiceClients sluiceClients(PacedClients clients) {
            return new SluiceClients(clients);
        }

        @Bean
        static PacedBuilders<RestClient.Builder> sluiceRestClientBuilders(ObjectProvider<PacedClients> clients) {
            return new PacedBuilders<>(
                    RestClient.Builder.class,
                    clients,
                    (builder, client) -> builder.requestInterceptor(new PacingInterceptor(client)));
        }
    }

    private static void extend(RestTemplate template, PacedClients clients) {
        clients.withUrl().forEach(client -> template.getInterceptors().add(new PacingInterceptor(client)));
    }

    /** {@code RestTemplateBuilder} of Spring Boot 3. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.web.client.RestTemplateCustomizer.class)
    static class Boot3RestTemplate {
        @Bean
        org.springframework.boot.web.client.RestTemplateCustomizer sluiceRestTemplateCustomizer3(PacedClients clients) {
            return template -> extend(template, clients);
        }
    }

    /** {@code RestTemplateBuilder} of Spring Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.restclient.RestTemplateCustomizer.class)
    static class Boot4RestTemplate {
        @Bean
        org.springframework.boot.restclient.RestTemplateCustomizer sluiceRestTemplateCustomizer4(PacedClients clients) {
            return template -> extend(template, clients);
        }
    }

    /** {@code WebClient}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebClient.class)
    static class ForWebClient {
        @Bean
        @ConditionalOnMissingBean
        SluiceWebClients sluiceWebClients(PacedClients clients) {
            return new SluiceWebClients(clients);
        }

        @Bean
        static PacedBuilders<WebClient.Builder> sluiceWebClientBuilders(ObjectProvider<PacedClients> clients) {
            return new PacedBuilders<>(
                    WebClient.Builder.class, clients, (builder, client) -> builder.filter(new PacingFilter(client)));
        }
    }
}
