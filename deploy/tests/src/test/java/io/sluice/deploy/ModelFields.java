package io.sluice.deploy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.gson.annotations.SerializedName;
import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The fields of a model: their names in a manifest, their types, and which are required. */
record ModelFields(Map<String, Type> types, Set<String> required) {
    static ModelFields of(Class<?> model) {
        Map<String, Type> types = new HashMap<>();
        for (Field field : model.getDeclaredFields()) {
            SerializedName kubernetes = field.getAnnotation(SerializedName.class);
            JsonProperty operator = field.getAnnotation(JsonProperty.class);
            if (kubernetes != null) {
                types.put(kubernetes.value(), field.getGenericType());
            } else if (operator != null) {
                types.put(operator.value(), field.getGenericType());
            }
        }
        if (types.isEmpty()) {
            throw new IllegalStateException(model + " has no fields that this test can read");
        }
        return new ModelFields(types, required(model));
    }

    /** Only the models of Kubernetes itself say it. */
    @SuppressWarnings("unchecked")
    private static Set<String> required(Class<?> model) {
        if (!model.getName().startsWith("io.kubernetes.")) {
            return Set.of();
        }
        try {
            return (Set<String>) model.getField("openapiRequiredFields").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(model + " does not say which fields are required", e);
        }
    }
}
