package io.sluice.spring.actuate;

import io.sluice.policy.PolicyEngine;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.lang.Nullable;

/*
 * Optional parameters have the annotation of Spring, because Spring Boot 3 knows no other.
 */
/**
 * The endpoint {@code sluice}: the store, the policies with the limits in force, and the alerts that fire. Sections: {@code
 * policies}, {@code limits}, {@code top}, {@code explain}. It changes nothing.
 */
@Endpoint(id = "sluice")
final class SluiceEndpoint {
    private static final int DEFAULT_KEYS = 10;
    private static final int MAX_KEYS = 1000;

    private final PolicyEngine engine;
    private final StoreStatus store;
    private final PolicyFields policies;
    private final TopFields top;
    private final ExplainFields explain;

    SluiceEndpoint(PolicyEngine engine, StoreStatus store) {
        this.engine = engine;
        this.store = store;
        this.policies = new PolicyFields(engine);
        this.top = new TopFields(engine);
        this.explain = new ExplainFields(engine);
    }

    /** All but the keys. */
    @ReadOperation
    Map<String, Object> overview() {
        Map<String, Object> fields = versions();
        fields.put("store", store.fields());
        fields.put("policies", policies.policies());
        fields.put("firing", AlertFields.of(engine.firing()));
        return fields;
    }

    /**
     * One section.
     *
     * @param n of {@code top}: the maximum number of keys in each list, 1 to 1000
     * @param attribute of {@code explain}: {@code name=value}, or several of them. Its type is Object, because Spring Boot
     *     would split a text at its commas to make a list.
     * @param permits of {@code explain}: the permits that the request asks for
     * @return null if there is no such section
     * @throws org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException if a parameter is not understood
     */
    @ReadOperation
    @Nullable
    Map<String, Object> section(
            @Selector String section, @Nullable String n, @Nullable Object attribute, @Nullable String permits) {
        return switch (section) {
            case "policies" -> with(versions(), "policies", policies.policies());
            case "limits" -> with(versions(), "limits", policies.limits());
            case "top" -> top.of(RequestParameters.number("n", n, DEFAULT_KEYS, 1, MAX_KEYS));
            case "explain" ->
                explain.of(
                        RequestParameters.attributes(attribute),
                        RequestParameters.number("permits", permits, 1, 0, Integer.MAX_VALUE));
            default -> null;
        };
    }

    private Map<String, Object> versions() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", engine.version());
        fields.put("edition", engine.edition());
        return fields;
    }

    private static Map<String, Object> with(Map<String, Object> fields, String name, Object value) {
        fields.put(name, value);
        return fields;
    }
}
