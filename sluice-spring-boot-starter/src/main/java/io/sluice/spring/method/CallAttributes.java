package io.sluice.spring.method;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attributes of a call: those of its key, then those of the HTTP request. They can only be looked up. */
final class CallAttributes extends AbstractMap<String, String> {
    private final Map<String, @Nullable String> own;
    private final Map<String, String> request;

    private CallAttributes(Map<String, @Nullable String> own, Map<String, String> request) {
        this.own = own;
        this.request = request;
    }

    /** An attribute with the value of the key; null hides the attribute of the request. */
    static CallAttributes of(String name, @Nullable Object value, Map<String, String> request) {
        Map<String, @Nullable String> own = new HashMap<>();
        own.put(name, KeyText.of(value));
        return new CallAttributes(own, request);
    }

    /** The attributes of a key that is a map. */
    static CallAttributes of(Map<?, ?> key, Map<String, String> request) {
        Map<String, @Nullable String> own = new HashMap<>();
        key.forEach((name, value) -> own.put(String.valueOf(name), KeyText.of(value)));
        return new CallAttributes(own, request);
    }

    @Override
    public @Nullable String get(@Nullable Object name) {
        return own.containsKey(name) ? own.get(name) : request.get(name);
    }

    /** Not supported: nobody knows all attributes of a request. */
    @Override
    public Set<Entry<String, String>> entrySet() {
        throw new UnsupportedOperationException("attributes of a call can only be looked up by name");
    }

    @Override
    public String toString() {
        return own.toString();
    }
}
