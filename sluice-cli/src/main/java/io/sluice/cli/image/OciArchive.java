package io.sluice.cli.image;

import static io.sluice.cli.image.ImageConfig.ordered;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Writes an image as a tar archive of an OCI image layout: blobs by their digest, and an index that names the manifest. A
 * {@code manifest.json} in addition is for {@code docker load}.
 */
final class OciArchive {
    private static final String MEDIA_TYPE = "application/vnd.oci.image.";

    private OciArchive() {}

    /**
     * Writes the image and returns the digest of its manifest. A file of that name is replaced when the new one is complete.
     */
    static String write(Path file, Image image, ImageName name, Platform platform) throws IOException {
        List<Layer> layers = image.layers();
        byte[] config = ImageConfig.json(layers, image.hasClassArchive(), name, platform);
        byte[] manifest = Json.bytes(ordered(
                "schemaVersion",
                2,
                "mediaType",
                MEDIA_TYPE + "manifest.v1+json",
                "config",
                descriptor("config.v1+json", Layer.digest(config), config.length),
                "layers",
                layerDescriptors(layers)));
        byte[] index = Json.bytes(ordered(
                "schemaVersion",
                2,
                "mediaType",
                MEDIA_TYPE + "index.v1+json",
                "manifests",
                List.of(named(
                        descriptor("manifest.v1+json", Layer.digest(manifest), manifest.length), name, platform))));
        byte[] forDocker = Json.bytes(List.of(ordered(
                "Config",
                blob(Layer.digest(config)),
                "RepoTags",
                List.of(name.toString()),
                "Layers",
                layers.stream().map(layer -> blob(layer.digest())).toList())));

        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try {
            try (TarWriter tar = new TarWriter(new BufferedOutputStream(Files.newOutputStream(partial)))) {
                tar.directory("blobs", 0755, 0);
                tar.directory("blobs/sha256", 0755, 0);
                NavigableMap<String, Object> blobs =
                        new TreeMap<>(Map.of(Layer.digest(config), config, Layer.digest(manifest), manifest));
                layers.forEach(layer -> blobs.put(layer.digest(), layer.file()));
                for (Map.Entry<String, Object> entry : blobs.entrySet()) {
                    if (entry.getValue() instanceof Path content) {
                        tar.file(blob(entry.getKey()), 0644, content);
                    } else {
                        tar.file(blob(entry.getKey()), 0644, (byte[]) entry.getValue());
                    }
                }
                tar.file("index.json", 0644, index);
                tar.file("manifest.json", 0644, forDocker);
                tar.file("oci-layout", 0644, Json.bytes(Map.of("imageLayoutVersion", "1.0.0")));
            }
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(partial);
        }
        return Layer.digest(manifest);
    }

    private static String blob(String digest) {
        return "blobs/sha256/" + digest;
    }

    private static Map<String, Object> descriptor(String type, String digest, long size) {
        return ordered("mediaType", MEDIA_TYPE + type, "digest", "sha256:" + digest, "size", size);
    }

    private static List<Object> layerDescriptors(List<Layer> layers) throws IOException {
        Object[] descriptors = new Object[layers.size()];
        for (int i = 0; i < descriptors.length; i++) {
            Layer layer = layers.get(i);
            descriptors[i] = descriptor("layer.v1.tar+gzip", layer.digest(), Files.size(layer.file()));
        }
        return List.of(descriptors);
    }

    private static Map<String, Object> named(Map<String, Object> descriptor, ImageName name, Platform platform) {
        descriptor.put("platform", ordered("architecture", platform.architecture(), "os", platform.os()));
        descriptor.put(
                "annotations",
                ordered("io.containerd.image.name", name.qualified(), "org.opencontainers.image.ref.name", name.tag()));
        return descriptor;
    }
}
