package io.sluice.spring.actuate;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TopKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys with the most requests and the most denials as plain fields. */
final class TopFields {
    private final PolicyEngine engine;

    TopFields(PolicyEngine engine) {
        this.engine = engine;
    }

    /** @param n the maximum number of keys in each list */
    Map<String, Object> of(int n) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("busiest", keys(engine.topKeys().busiest(n)));
        fields.put("denied", keys(engine.topKeys().denied(n)));
        fields.put("error", engine.topKeys().error());
        return fields;
    }

    private List<Map<String, Object>> keys(List<TopKey> keys) {
        return keys.stream().map(this::key).toList();
    }

    /** A long key is known only by its digest. */
    private Map<String, Object> key(TopKey top) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("policy", top.policy());
        engine.key(top).ifPresentOrElse(key -> fields.put("key", key), () -> fields.put("digest", top.key()));
        fields.put("count", top.count());
        fields.put("error", top.error());
        return fields;
    }
}
