package io.sluice.cli.image;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The configuration of an image, as OCI defines it: what runs, as whom, and with which variables. */
final class ImageConfig {
    static final int USER = 10001;
    static final String HOME = "/var/lib/sluice";

    /** In a container nobody can reach loopback, so listen on all addresses. */
    static final Map<String, String> VARIABLES =
            new TreeMap<>(Map.of("SLUICE_HOST", "0.0.0.0", "SLUICE_LOG_FORMAT", "json"));

    /** HTTP with gRPC, and RESP. */
    static final List<Integer> PORTS = List.of(8080, 6380);

    private static final String LABEL = "org.opencontainers.image.";

    private ImageConfig() {}

    static byte[] json(List<Layer> layers, boolean hasClassArchive, ImageName name, Platform platform) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("created", TarWriter.TIME.toString());
        config.put("architecture", platform.architecture());
        config.put("os", platform.os());
        config.put("config", run(hasClassArchive, name));
        config.put(
                "rootfs",
                ordered(
                        "type",
                        "layers",
                        "diff_ids",
                        layers.stream()
                                .map(layer -> "sha256:" + layer.contentDigest())
                                .toList()));
        config.put(
                "history",
                layers.stream()
                        .map(layer -> ordered(
                                "created", TarWriter.TIME.toString(), "created_by", "sluice image: " + layer.origin()))
                        .toList());
        return Json.bytes(config);
    }

    private static Map<String, Object> run(boolean hasClassArchive, ImageName name) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("User", USER + ":" + USER);
        Map<String, Object> ports = new LinkedHashMap<>();
        PORTS.forEach(port -> ports.put(port + "/tcp", Map.of()));
        run.put("ExposedPorts", ports);
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PATH", "/" + Entrypoint.JAVA_HOME + "/bin:/bin");
        // File names are UTF-8.
        variables.put("LC_ALL", "C.UTF-8");
        variables.putAll(VARIABLES);
        run.put(
                "Env",
                variables.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList());
        run.put("Entrypoint", Entrypoint.command(hasClassArchive));
        run.put("Cmd", List.of("serve"));
        run.put("WorkingDir", HOME);
        run.put(
                "Labels",
                ordered(
                        LABEL + "title",
                        "sluice",
                        LABEL + "description",
                        "Rate limit service",
                        LABEL + "version",
                        name.tag(),
                        LABEL + "licenses",
                        "Apache-2.0"));
        return run;
    }

    /** A map in the order of its entries: name, value, name, value. */
    static Map<String, Object> ordered(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }
}
