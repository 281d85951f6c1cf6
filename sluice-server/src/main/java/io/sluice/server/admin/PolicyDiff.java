package io.sluice.server.admin;

import io.sluice.policy.Adapt;
import io.sluice.policy.Alert;
import io.sluice.policy.KeyPart;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.Reserve;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The difference between two sets of policies: which are added, removed or changed, and the changed fields. */
final class PolicyDiff {
    private PolicyDiff() {}

    /** {@code {"added":[...],"removed":[...],"changed":[{"policy":...,"fields":{...}}],"alerts":{...}}}. */
    static JsonObject of(Policies before, Policies after) {
        return diff("policy", before.policies(), after.policies(), Policy::name, PolicyDiff::fields)
                .put("alerts", diff("alert", before.alerts(), after.alerts(), Alert::name, PolicyDiff::fields));
    }

    private static <T> JsonObject diff(
            String kind,
            List<T> before,
            List<T> after,
            Function<T, String> name,
            Function<T, Map<String, @Nullable Object>> fields) {
        Map<String, T> old = byName(before, name);
        Map<String, T> current = byName(after, name);
        JsonArray added = new JsonArray();
        JsonArray removed = new JsonArray();
        JsonArray changed = new JsonArray();
        old.keySet().stream().filter(each -> !current.containsKey(each)).forEach(removed::add);
        current.forEach((each, value) -> {
            T previous = old.get(each);
            if (previous == null) {
                added.add(each);
                return;
            }
            JsonObject differing = differing(fields.apply(previous), fields.apply(value));
            if (!differing.isEmpty()) {
                changed.add(new JsonObject().put(kind, each).put("fields", differing));
            }
        });
        return new JsonObject().put("added", added).put("removed", removed).put("changed", changed);
    }

    private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
        Map<String, T> byName = new LinkedHashMap<>();
        all.forEach(each -> byName.put(name.apply(each), each));
        return byName;
    }

    private static JsonObject differing(Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        JsonObject differing = new JsonObject();
        before.forEach((field, old) -> {
            Object now = after.get(field);
            if (!Objects.equals(old, now)) {
                differing.put(field, new JsonObject().put("old", old).put("new", now));
            }
        });
        return differing;
    }

    /** The fields of a policy, named as in the policy file. */
    private static Map<String, @Nullable Object> fields(Policy policy) {
        Reserve reserve = policy.reserve();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("match", policy.match().toString());
        fields.put(
                "key",
                new JsonArray(policy.key().stream().map(KeyPart::toString).toList()));
        fields.put("limit", policy.limit().toString());
        fields.put(
                "overrides",
                new JsonArray(policy.overrides().stream().map(PolicyDiff::text).toList()));
        fields.put("reserve", reserve == null ? null : reserve.percent().toPlainString() + "% for " + reserve.match());
        fields.put("mode", lower(policy.mode()));
        fields.put("on-store-failure", lower(policy.onStoreFailure()));
        fields.put("charge", lower(policy.charge()));
        fields.put("scope", lower(policy.scope()));
        Adapt adapt = policy.adapt();
        fields.put("adapt", adapt == null ? null : adapt.toString());
        return fields;
    }

    private static String text(LimitOverride override) {
        String name = override.name() == null ? "" : override.name() + " ";
        return name + override.match() + ": " + override.limit();
    }

    private static Map<String, @Nullable Object> fields(Alert alert) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("policy", alert.policy());
        fields.put("when", alert.when().toString());
        fields.put("over", alert.over().toString());
        fields.put("at-least", alert.atLeast());
        fields.put("notify", new JsonArray(alert.targets()));
        return fields;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
