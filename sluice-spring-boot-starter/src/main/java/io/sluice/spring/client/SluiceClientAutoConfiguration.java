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
            return new PacedBuilders<>(RestClient.Builder.class, clients, RestBuilders::extend);
        }
    }

    /** What Spring Boot 3 builds by itself. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.web.client.RestTemplateCustomizer.class)
    static class Boot3RestClients {
        @Bean
        org.springframework.boot.web.client.RestClientCustomizer sluiceRestClientCustomizer3(
                ObjectProvider<PacedClients> clients) {
            return builder -> RestBuilders.extend(builder, clients.getObject());
        }

        @Bean
        org.springframework.boot.web.client.RestTemplateCustomizer sluiceRestTemplateCustomizer3(PacedClients clients) {
            return template -> RestBuilders.extend(template, clients);
        }
    }

    /** What Spring Boot 4 builds by itself, also for interfaces with {@code @ImportHttpServices}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.restclient.RestTemplateCustomizer.class)
    static class Boot4RestClients {
        @Bean
        org.springframework.boot.restclient.RestClientCustomizer sluiceRestClientCustomizer4(
                ObjectProvider<PacedClients> clients) {
            return builder -> RestBuilders.extend(builder, clients.getObject());
        }

        @Bean
        org.springframework.boot.restclient.RestTemplateCustomizer sluiceRestTemplateCustomizer4(PacedClients clients) {
            return template -> RestBuilders.extend(template, clients);
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
            return new PacedBuilders<>(WebClient.Builder.class, clients, WebBuilders::extend);
        }
    }

    /** What Spring Boot 3 builds by itself. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({
        WebClient.class,
        org.springframework.boot.web.reactive.function.client.WebClientCustomizer.class
    })
    static class Boot3WebClients {
        @Bean
        org.springframework.boot.web.reactive.function.client.WebClientCustomizer sluiceWebClientCustomizer3(
                ObjectProvider<PacedClients> clients) {
            return builder -> WebBuilders.extend(builder, clients.getObject());
        }
    }

    /** What Spring Boot 4 builds by itself, also for interfaces with {@code @ImportHttpServices}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({WebClient.class, org.springframework.boot.webclient.WebClientCustomizer.class})
    static class Boot4WebClients {
        @Bean
        org.springframework.boot.webclient.WebClientCustomizer sluiceWebClientCustomizer4(
                ObjectProvider<PacedClients> clients) {
            return builder -> WebBuilders.extend(builder, clients.getObject());
        }
    }
}
