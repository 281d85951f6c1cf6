package io.sluice.spring.web;

import java.util.ArrayList;
import java.util.List;

/** Policies as properties of an application. */
final class PolicySettings {
    private final List<String> properties = new ArrayList<>();
    private int policies;

    /** Adds a policy. The fields are texts such as {@code limit=1/h}. */
    PolicySettings add(String name, String... fields) {
        String prefix = "sluice.policies[" + policies++ + "].";
        properties.add(prefix + "name=" + name);
        for (String field : fields) {
            properties.add(prefix + field);
        }
        return this;
    }

    List<String> properties() {
        return properties;
    }
}
