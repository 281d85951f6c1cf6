package io.sluice.cli.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * An image whose archive and layers the program tar has unpacked. Programs of the image run in a chroot, as root, or else
 * through the loader of the image: either way with the libraries of the image only.
 */
final class UnpackedImage {
    private final Path blobs;
    private final Path files;
    private final Map<String, Object> manifest;
    private final Map<String, Object> config;

    private UnpackedImage(Path layout, Path files) throws IOException {
        this.blobs = layout.resolve("blobs").resolve("sha256");
        this.files = files;
        List<?> manifests = (List<?>) at(json(layout.resolve("index.json")), "manifests");
        this.manifest = json(blob(at(manifests.get(0), "digest")));
        this.config = json(blob(at(manifest, "config", "digest")));
    }

    static UnpackedImage of(Path archive, Path directory) throws IOException, InterruptedException {
        Path layout = Files.createDirectory(directory.resolve("layout"));
        Path files = Files.createDirectory(directory.resolve("files"));
        run("tar", "-xf", archive.toString(), "-C", layout.toString());
        UnpackedImage image = new UnpackedImage(layout, files);
        for (String digest : image.layerDigests()) {
            run("tar", "-xpzf", image.blob(digest).toString(), "-C", files.toString());
        }
        if (isRoot()) {
            // Containers have devices. They have /proc too, but this does without.
            run("mknod", "-m", "666", files.resolve("dev/random").toString(), "c", "1", "8");
            run("mknod", "-m", "666", files.resolve("dev/urandom").toString(), "c", "1", "9");
        }
        return image;
    }

    static boolean isRoot() throws IOException {
        return ((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")) == 0;
    }

    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    /** JSON is YAML. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> json(Path file) throws IOException {
        Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
        return (Map<String, Object>) (read instanceof List<?> list ? list.get(0) : read);
    }

    static Object at(Object node, String... path) {
        Object found = node;
        for (String step : path) {
            found = Objects.requireNonNull(((Map<?, ?>) found).get(step), step);
        }
        return found;
    }

    Path layout() {
        return Objects.requireNonNull(Objects.requireNonNull(blobs.getParent()).getParent());
    }

    Path file(String path) {
        return files.resolve(path);
    }

    /** The file of a blob, by its digest or its path in the layout. */
    Path blob(Object digest) {
        return blobs.resolve(digest.toString().replaceFirst("^sha256:|^blobs/sha256/", ""));
    }

    List<Path> blobs() throws IOException {
        try (Stream<Path> found = Files.list(blobs)) {
            return found.toList();
        }
    }

    List<String> layerDigests() {
        return ((List<?>) at(manifest, "layers"))
                .stream().map(layer -> (String) at(layer, "digest")).toList();
    }

    Map<String, Object> manifest() {
        return manifest;
    }

    Map<String, Object> config() {
        return config;
    }

    /** The entry point of the image with these arguments, and with the variables of the image. */
    ProcessBuilder entrypoint(String... arguments) throws IOException {
        List<String> entrypoint = new ArrayList<>();
        ((List<?>) at(config, "config", "Entrypoint")).forEach(word -> entrypoint.add((String) word));
        return program(entrypoint, arguments);
    }

    private ProcessBuilder program(List<String> entrypoint, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> variables = builder.environment();
        variables.clear();
        for (Object variable : (List<?>) at(config, "config", "Env")) {
            String[] pair = variable.toString().split("=", 2);
            variables.put(pair[0], pair[1]);
        }
        if (isRoot()) {
            command.addAll(List.of("/usr/sbin/chroot", "--userspec=" + at(config, "config", "User"), files.toString()));
            command.addAll(entrypoint);
            // Without /proc the loader does not know where a program is that wants libraries beside it.
            variables.put("LD_LIBRARY_PATH", "/opt/java/lib");
        } else {
            command.addAll(List.of(loader().toString(), "--library-path", libraryPath()));
            entrypoint.forEach(word -> command.add(word.replaceFirst("^(|.*=)/opt/", "$1" + files + "/opt/")));
            builder.directory(
                    Files.createDirectories(files.resolve("a/".repeat(8))).toFile());
        }
        command.addAll(List.of(arguments));
        return builder;
    }

    private Path loader() throws IOException {
        try (Stream<Path> found =
                Files.find(files, 3, (file, is) -> file.getFileName().toString().matches("ld-(linux|musl).*\\.so.*"))) {
            return found.findFirst().orElseThrow();
        }
    }

    private String libraryPath() throws IOException {
        try (Stream<Path> found =
                Files.find(files, 4, (file, is) -> file.getFileName().toString().startsWith("libc.so"))) {
            return found.findFirst().orElseThrow().getParent() + ":" + files.resolve("opt/java/lib");
        }
    }
}
