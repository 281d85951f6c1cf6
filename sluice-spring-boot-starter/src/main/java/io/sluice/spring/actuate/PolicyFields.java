package io.sluice.spring.actuate;

import io.sluice.Limit;
import io.sluice.policy.Adapt;
import io.sluice.policy.KeyPart;
import io.sluice.policy.LimitInForce;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.Reserve;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The policies and their limits in force as plain fields, with the names of a policy file. */
final class PolicyFields {
    private final PolicyEngine engine;

    PolicyFields(PolicyEngine engine) {
        this.engine = engine;
    }

    /** A limit of a policy. */
    private record LimitName(String policy, @Nullable String override) {
        static LimitName of(Policy policy, @Nullable LimitOverride override) {
            return new LimitName(policy.name(), override == null ? null : override.id());
        }
    }

    /** The policies, in their order. */
    List<Map<String, Object>> policies() {
        Map<LimitName, Limit> inForce = new HashMap<>();
        for (LimitInForce limit : engine.limits()) {
            inForce.put(LimitName.of(limit.policy(), limit.override()), limit.limit());
        }
        Map<String, BigDecimal> factors = engine.factors();
        return engine.policies().policies().stream()
                .map(policy -> policy(policy, inForce, factors.get(policy.name())))
                .toList();
    }

    /** The limits in force, in the order of the policies. Policies that are off have none. */
    List<Map<String, Object>> limits() {
        return engine.limits().stream().map(PolicyFields::limit).toList();
    }

    private static Map<String, Object> limit(LimitInForce limit) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("policy", limit.policy().name());
        LimitOverride override = limit.override();
        if (override != null) {
            fields.put("override", override.id());
        }
        fields.put("limit", limit.limit().toString());
        fields.put("scope", lowerCase(limit.scope()));
        return fields;
    }

    private static Map<String, Object> policy(
            Policy policy, Map<LimitName, Limit> inForce, @Nullable BigDecimal factor) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", policy.name());
        fields.put("match", policy.match().toString());
        fields.put("key", policy.key().stream().map(KeyPart::toString).toList());
        fields.put("limit", text(inForce, LimitName.of(policy, null), policy.limit()));
        fields.put(
                "overrides",
                policy.overrides().stream()
                        .map(override -> override(policy, override, inForce))
                        .toList());
        Reserve reserve = policy.reserve();
        if (reserve != null) {
            fields.put("reserve", reserve(reserve));
        }
        fields.put("mode", lowerCase(policy.mode()));
        fields.put("scope", lowerCase(policy.scope()));
        fields.put("on-store-failure", lowerCase(policy.onStoreFailure()));
        fields.put("charge", lowerCase(policy.charge()));
        Adapt adapt = policy.adapt();
        if (adapt != null) {
            fields.put("adapt", adapt.toString());
        }
        if (factor != null) {
            fields.put("factor", factor);
        }
        return fields;
    }

    private static Map<String, Object> override(Policy policy, LimitOverride override, Map<LimitName, Limit> inForce) {
        Map<String, Object> fields = new LinkedHashMap<>();
        String name = override.name();
        if (name != null) {
            fields.put("name", name);
        }
        fields.put("match", override.match().toString());
        fields.put("limit", text(inForce, LimitName.of(policy, override), override.limit()));
        return fields;
    }

    private static Map<String, Object> reserve(Reserve reserve) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("share", reserve.percent().toPlainString() + "%");
        fields.put("for", reserve.match().toString());
        return fields;
    }

    /** A policy that is off has no limit in force: then the limit of the policy itself is shown. */
    private static String text(Map<LimitName, Limit> inForce, LimitName name, Limit configured) {
        return inForce.getOrDefault(name, configured).toString();
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
