package io.sluice.deploy;

import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares objects with the schema of the Kubernetes API.
 *
 * <p>The schema is that of the typed models, which are generated from the API's own OpenAPI document. Every field must be in
 * the model at every depth and have its type, and required fields must be there. The readers of the models are not used,
 * because they turn a number into a text where a cluster would refuse it.
 */
final class ApiSchema {
    private static final Map<String, Class<?>> KINDS = Map.of(
            "v1 ConfigMap", V1ConfigMap.class,
            "v1 PersistentVolumeClaim", V1PersistentVolumeClaim.class,
            "v1 Secret", V1Secret.class,
            "v1 Service", V1Service.class,
            "apps/v1 Deployment", V1Deployment.class,
            "autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler.class,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy.class,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget.class,
            "monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class,
            "monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class);

    /** An object's name must do as a label, so that it can be a part of host names. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final Pattern LABEL = Pattern.compile("|[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern QUANTITY = Pattern.compile("[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?");

    private final List<String> problems = new ArrayList<>();

    private ApiSchema() {}

    /** The problems of an object, each with its path; empty if there is none. */
    static List<String> problems(ApiObject object) {
        ApiSchema schema = new ApiSchema();
        String kind = Yaml.map(object.content()).get("apiVersion") + " " + object.kind();
        Class<?> model = KINDS.get(kind);
        if (model == null) {
            return List.of(kind + " (expected: one of " + KINDS.keySet() + ")");
        }
        if (!NAME.matcher(object.name()).matches()) {
            schema.problems.add("metadata.name: " + object.name() + " (expected: " + NAME + ")");
        }
        schema.object(object.content(), model, "");
        return schema.problems;
    }

    private void object(Object node, Class<?> model, String path) {
        if (!(node instanceof Map<?, ?> fields)) {
            expected(node, "an object", path);
            return;
        }
        ModelFields known = ModelFields.of(model);
        for (String required : known.required()) {
            if (!fields.containsKey(required)) {
                problems.add(path + ": " + required + " is missing");
            }
        }
        fields.forEach((name, value) -> {
            String inner = path.isEmpty() ? String.valueOf(name) : path + "." + name;
            Type type = known.types().get(String.valueOf(name));
            if (type == null) {
                problems.add(inner + ": no such field of " + model.getSimpleName());
                return;
            }
            value(value, type, inner);
            Set<String> values = Choices.of(model, String.valueOf(name));
            for (Object one : value instanceof List<?> list ? list : singleton(value)) {
                if (!values.isEmpty() && one instanceof String text && !values.contains(text)) {
                    problems.add(inner + ": " + one + " (expected: one of " + values + ")");
                }
            }
            if (name.equals("labels") || name.equals("matchLabels")) {
                labels(value, inner);
            }
        });
    }

    private static List<?> singleton(@Nullable Object value) {
        return value == null ? List.of() : List.of(value);
    }

    private void labels(@Nullable Object value, String path) {
        if (value instanceof Map<?, ?> labels) {
            labels.forEach((name, text) -> {
                if (!LABEL.matcher(String.valueOf(text)).matches()) {
                    problems.add(path + "." + name + ": " + text + " (expected: a label)");
                }
            });
        }
    }

    private void value(@Nullable Object node, Type type, String path) {
        if (node == null) {
            problems.add(path + ": is empty (expected: a value, or no such line)");
        } else if (type instanceof ParameterizedType generic) {
            collection(node, generic, path);
        } else if (type instanceof Class<?> simple) {
            switch (simple.getSimpleName()) {
                case "String", "OffsetDateTime" -> check(node instanceof String, node, "a text", path);
                case "byte[]" -> check(node instanceof String text && isBase64(text), node, "base64", path);
                case "Boolean" -> check(node instanceof Boolean, node, "a boolean", path);
                case "Integer", "Long" ->
                    check(node instanceof Integer || node instanceof Long, node, "a whole number", path);
                case "Double" -> check(node instanceof Number, node, "a number", path);
                case "IntOrString" ->
                    check(node instanceof Integer || node instanceof String, node, "a whole number or a text", path);
                case "Quantity" -> check(QUANTITY.matcher(node.toString()).matches(), node, "a quantity", path);
                case "Object" -> {}
                default -> object(node, simple, path);
            }
        } else {
            throw new IllegalStateException(path + ": " + type);
        }
    }

    private void collection(Object node, ParameterizedType type, String path) {
        Type[] parts = type.getActualTypeArguments();
        if (parts.length == 1) {
            if (node instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    value(list.get(i), parts[0], path + "[" + i + "]");
                }
            } else {
                expected(node, "a list", path);
            }
        } else if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> value(value, parts[1], path + "." + name));
        } else {
            expected(node, "an object", path);
        }
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void check(boolean right, Object node, String expected, String path) {
        if (!right) {
            expected(node, expected, path);
        }
    }

    private void expected(Object node, String expected, String path) {
        problems.add(path + ": " + node + " (expected: " + expected + ")");
    }
}
