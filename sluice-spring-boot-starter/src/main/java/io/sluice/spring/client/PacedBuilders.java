package io.sluice.spring.client;

import java.util.function.BiConsumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/*
 * Builders are prototypes: each injection point gets its own. So each is extended when it is created, also those that the application
 * declares. The clients are looked up only then, because a post processor is created before other beans.
 */
/** Extends builders of HTTP clients that are beans, by all clients with a URL. */
final class PacedBuilders<B> implements BeanPostProcessor {
    private final Class<B> type;
    private final ObjectProvider<PacedClients> clients;
    private final BiConsumer<B, PacedClients> extend;

    PacedBuilders(Class<B> type, ObjectProvider<PacedClients> clients, BiConsumer<B, PacedClients> extend) {
        this.type = type;
        this.clients = clients;
        this.extend = extend;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (type.isInstance(bean)) {
            extend.accept(type.cast(bean), clients.getObject());
        }
        return bean;
    }
}
