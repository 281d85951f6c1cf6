package io.sluice.cli.image;

import static io.sluice.cli.image.UnpackedImage.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.serve.Http;
import io.sluice.cli.serve.ServerProcess;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes an image with the packaged command, unpacks it, and runs the server from it. */
class ImageIT {
    private static final String JAR = Path.of("target", "sluice.jar").toString();

    /** Libraries name them in classes that the service does not use. */
    private static final List<String> UNUSED_MODULES = List.of("java.compiler", "java.desktop", "java.sql");

    @TempDir
    static Path directory;

    private static Path archive;
    private static String printed;
    private static UnpackedImage image;

    @BeforeAll
    static void write() throws Exception {
        archive = directory.resolve("image.tar");
        printed = sluice("image", "--output", archive.toString(), "--name", "team/sluice:7");
        image = UnpackedImage.of(archive, directory);
    }

    private static String sluice(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", JAR));
        command.addAll(List.of(arguments));
        return UnpackedImage.run(command.toArray(new String[0]));
    }

    /** By another program than the one under test, which is faster too. */
    private static String sha256(String pipe, Path file) throws IOException, InterruptedException {
        String printed = UnpackedImage.run("sh", "-c", pipe + " < \"$1\" | sha256sum", "sh", file.toString());
        return "sha256:" + printed.substring(0, printed.indexOf(' '));
    }

    @Test
    void command_printsWhatItWrote() throws IOException {
        Path manifest = image.blob(at(
                ((List<?>) at(UnpackedImage.json(image.layout().resolve("index.json")), "manifests")).get(0),
                "digest"));

        assertThat(printed.lines().reduce((first, second) -> second))
                .hasValueSatisfying(last -> assertThat(last)
                        .startsWith(archive + ": team/sluice:7, linux/")
                        .endsWith(" MB, sha256:" + manifest.getFileName()));
    }

    @Test
    void blobs_haveTheDigestsAndSizesThatTheLayoutNames() throws Exception {
        for (Path blob : image.blobs()) {
            assertThat(sha256("cat", blob)).isEqualTo("sha256:" + blob.getFileName());
        }
        List<Object> named = new ArrayList<>((List<?>) at(image.manifest(), "layers"));
        named.add(at(image.manifest(), "config"));
        for (Object descriptor : named) {
            assertThat(Files.size(image.blob(at(descriptor, "digest"))))
                    .isEqualTo(((Number) at(descriptor, "size")).longValue());
        }
        assertThat(image.blobs()).as("these and the manifest").hasSize(named.size() + 1);
        List<String> contents = new ArrayList<>();
        for (String layer : image.layerDigests()) {
            contents.add(sha256("gzip -dc", image.blob(layer)));
        }
        assertThat(at(image.config(), "rootfs", "diff_ids")).isEqualTo(contents);
        assertThat(UnpackedImage.json(image.layout().resolve("oci-layout")))
                .isEqualTo(Map.of("imageLayoutVersion", "1.0.0"));
    }

    @Test
    void manifestForDocker_namesTheSameBlobs() throws IOException {
        Map<String, Object> docker = UnpackedImage.json(image.layout().resolve("manifest.json"));

        assertThat(at(docker, "RepoTags")).isEqualTo(List.of("team/sluice:7"));
        assertThat(image.blob(at(docker, "Config"))).isEqualTo(image.blob(at(image.manifest(), "config", "digest")));
        assertThat(((List<?>) at(docker, "Layers")).stream().map(image::blob))
                .isEqualTo(image.layerDigests().stream().map(image::blob).toList());
    }

    @Test
    void layers_areTheSameInASecondImage_butForTheClassArchive(@TempDir Path second) throws Exception {
        Path other = second.resolve("image.tar");
        sluice("image", "--output", other.toString(), "--no-class-archive");
        UnpackedImage without = UnpackedImage.of(other, second);

        assertThat(without.layerDigests())
                .isEqualTo(image.layerDigests().subList(0, image.layerDigests().size() - 1));
        assertThat(at(without.config(), "config", "Entrypoint")).isEqualTo(Entrypoint.command(false));
        assertThat(run(without, "--version")).startsWith("sluice ");
    }

    @Test
    void server_runsFromTheImage() throws Exception {
        try (ServerProcess server = ServerProcess.started(
                image.entrypoint("serve", "--host", "127.0.0.1", "--port", "0", "--resp-port", "0"))) {
            Eventually.await("ready", () -> Http.get(server, "/readyz").statusCode() == 200);

            HttpResponse<String> checked = Http.check(server, "\"tenant\":\"acme\"", 1);

            assertThat(checked.body()).startsWith("{\"allowed\":true,").contains("per-tenant");
            assertThat(server.stop()).as(server.log()).isZero();
            assertThat(server.log()).contains("\"message\":\"stopped\"");
        }
    }

    @Test
    void classes_comeFromTheArchive() throws Exception {
        ProcessBuilder builder = image.entrypoint("serve", "--print-config");
        List<String> command = builder.command();
        // "on" ends the JVM if it cannot use the archive; "auto", as in the image, goes on without it.
        command.set(command.indexOf("-Xshare:auto"), "-Xshare:on");
        command.add(command.indexOf("-jar"), "-Xlog:class+load:stdout");
        Process process = builder.redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(log).isZero();
        for (String type : List.of("io.sluice.cli.Main", "io.sluice.server.settings.Settings", "java.lang.Object")) {
            assertThat(log).contains(" " + type + " source: shared objects file");
        }
    }

    @Test
    void classArchive_hasTheClientOfRedis() throws Exception {
        ProcessBuilder builder = image.entrypoint(
                "serve", "--host", "127.0.0.1", "--port", "0", "--resp-port", "0", "--redis", "redis://127.0.0.1:1");
        builder.command().add(builder.command().indexOf("-jar"), "-Xlog:class+load:stdout");
        try (ServerProcess server = ServerProcess.started(builder)) {
            assertThat(server.port()).isPositive();
            assertThat(server.log()).contains(" io.lettuce.core.RedisClient source: shared objects file");
        }
    }

    @Test
    void files_belongToRoot_butForTheDirectoryOfTheUser() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(image.file("var/lib/sluice"))))
                .isEqualTo("rwx------");
        assertThat(image.file("etc/passwd")).content().contains("\nsluice:x:10001:10001:");
        assertThat(image.file("bin/sleep")).isExecutable();
        assertThat(image.file("bin/sh")).doesNotExist();
        assertThat(image.file("opt/java/include")).doesNotExist();
        assertThat(image.file("opt/java/lib/security/cacerts")).isNotEmptyFile();
        if (UnpackedImage.isRoot()) {
            assertThat(Files.getAttribute(image.file("var/lib/sluice"), "unix:uid"))
                    .isEqualTo(ImageConfig.USER);
            assertThat(Files.getAttribute(image.file("opt/sluice/sluice.jar"), "unix:uid"))
                    .isEqualTo(0);
        }
    }

    /** A dependency that needs another module would fail in the image only. */
    @Test
    void modules_areThoseThatTheJarNeeds() {
        StringWriter out = new StringWriter();
        int code = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(
                        new PrintWriter(out),
                        new PrintWriter(out),
                        "--print-module-deps",
                        "--ignore-missing-deps",
                        "--multi-release",
                        "17",
                        JAR);
        assertThat(code).as(out.toString()).isZero();
        TreeSet<String> needed = new TreeSet<>(List.of(out.toString().strip().split(",")));
        assertThat(needed).containsAll(UNUSED_MODULES);
        needed.removeAll(UNUSED_MODULES);
        assertThat(StagedImage.MODULES).containsAll(needed);
    }

    private static String run(UnpackedImage image, String... arguments) throws IOException, InterruptedException {
        Process process = image.entrypoint(arguments).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }
}
