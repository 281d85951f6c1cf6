package io.sluice.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An object of the Kubernetes API, as a manifest or a chart describes it. */
record ApiObject(String kind, String name, Object content) {
    static List<ApiObject> read(String text) {
        List<ApiObject> objects = new ArrayList<>();
        for (Object document : Yaml.documents(text)) {
            Map<String, Object> content = Yaml.map(document);
            String name = String.valueOf(Yaml.find(content, "metadata", "name"));
            objects.add(new ApiObject(String.valueOf(content.get("kind")), name, content));
        }
        return objects;
    }

    Object at(Object... path) {
        return Yaml.at(content, path);
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
