package io.sluice.spring.autoconfigure;

import io.sluice.redis.RedisStore;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/*
 * Spring stops the connection factory, and with it the client, before it destroys any bean. A store that is closed as a bean would be
 * used without its client in between: calls that wait would hang, and others would be decided without Redis. So the store is closed in
 * the same phase as the factory, just before it. Web servers, schedulers and listeners stop in earlier phases.
 */
/** Closes the store before the connection factory that has its client stops. */
final class StoreShutdown implements SmartLifecycle {
    private final RedisStore store;
    private final int phase;
    private final ConfigurableApplicationContext context;
    private volatile boolean running;

    /** @param phase that of the connection factory. This bean must depend on it: then Spring stops it first. */
    StoreShutdown(RedisStore store, int phase, ConfigurableApplicationContext context) {
        this.store = store;
        this.phase = phase;
        this.context = context;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    @Override
    public void start() {
        running = true;
    }

    /** A context that only pauses needs its store again. */
    @Override
    public void stop() {
        running = false;
        if (context.isClosed()) {
            store.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
