package io.sluice.spring.method;

import io.sluice.TimeSource;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.testkit.ManualTime;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts with the memory store. */
final class MethodContexts {
    private MethodContexts() {}

    /** A context that stands in manual time. */
    static ApplicationContextRunner at(ManualTime time) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceMethodAutoConfiguration.class))
                .withBean(TimeSource.class, () -> time);
    }

    /** The properties of a policy whose key is one attribute. */
    static String[] policy(String name, String key, String limit) {
        return new String[] {
            "sluice.policies[0].name=" + name, "sluice.policies[0].key=" + key, "sluice.policies[0].limit=" + limit
        };
    }

    /** The properties of a policy whose key is two attributes. */
    static String[] policy(String name, String key, String limit, String secondKey) {
        return new String[] {
            "sluice.policies[0].name=" + name,
            "sluice.policies[0].key[0]=" + key,
            "sluice.policies[0].key[1]=" + secondKey,
            "sluice.policies[0].limit=" + limit
        };
    }
}
