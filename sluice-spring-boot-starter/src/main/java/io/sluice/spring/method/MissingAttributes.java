package io.sluice.spring.method;

import io.sluice.policy.Policy;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the attributes that a policy needs and a call does not have. Without them, the policy does not limit the call. */
final class MissingAttributes {
    private MissingAttributes() {}

    /** The attributes that only an HTTP request can have, if the annotation has no key. */
    static Set<String> of(Policy policy) {
        Set<String> missing = new TreeSet<>(policy.match().conditions().keySet());
        policy.key().forEach(part -> missing.add(part.attribute()));
        return missing;
    }

    /**
     * The attributes that only an HTTP request can have.
     *
     * @param key the value of the annotation's key: a map of attributes, or the value of the only attribute in the policy's key. Null
     *     means that the call is not to be limited: then that attribute is not missing.
     */
    static Set<String> of(Policy policy, @Nullable Object key) {
        Set<String> missing = of(policy);
        if (key instanceof Map<?, ?> given) {
            given.keySet().forEach(name -> missing.remove(String.valueOf(name)));
        } else {
            policy.key().forEach(part -> missing.remove(part.attribute()));
        }
        return missing;
    }
}
