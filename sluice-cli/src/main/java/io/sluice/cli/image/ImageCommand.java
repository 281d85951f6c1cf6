package io.sluice.cli.image;

import io.sluice.cli.console.ExitCode;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.console.RunFailedException;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.server.json.DisplayText;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice image}: writes the service as a container image. */
@Command(
        name = "image",
        description = "Write a container image of the service, without Docker.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        footer = {
            "",
            "The image has a Java runtime with the modules that the service needs, the",
            "service, the C library of this machine, and an archive of loaded classes that",
            "makes the start faster. It has no shell. The service runs as the user 10001.",
            "The image is for the architecture of this machine.",
            "",
            "The file is an OCI image layout. Docker, Podman and skopeo read it:",
            "  docker load -i sluice-image.tar",
            "  podman load -i sluice-image.tar",
            "  skopeo copy oci-archive:sluice-image.tar docker://registry.example.com/sluice",
            "",
            "The command needs Linux and a JDK with jlink.",
            "",
            "Example: sluice image --output sluice.tar --name registry.example.com/sluice:1.0"
        })
public final class ImageCommand implements Callable<Integer> {
    private final Stdio stdio;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--output", paramLabel = "FILE", description = "File to write; sluice-image.tar by default.")
    private Path output = Path.of("sluice-image.tar");

    @Option(
            names = "--name",
            paramLabel = "NAME:TAG",
            description = "Name of the image; sluice and the version by default.")
    private @Nullable String name;

    @Option(
            names = "--no-class-archive",
            description = "Leave out the archive of classes. The start is slower, and the same sources always give the"
                    + " same bytes.")
    private boolean noClassArchive;

    public ImageCommand(Stdio stdio) {
        this.stdio = stdio;
    }

    @Override
    public Integer call() throws InterruptedException {
        ImageName image = imageName();
        if (Files.isDirectory(output)) {
            throw new InvalidInputException("--output " + output + " is a directory (expected: a file)");
        }
        Path directory = output.toAbsolutePath().getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            throw new InvalidInputException("--output " + output + ": " + directory
                    + " is not there (expected: a file in a directory that exists)");
        }
        Platform platform = Platform.ofThisMachine();
        Jdk jdk = Jdk.ofThisProcess();
        Path jar = jar();
        try (TemporaryDirectory work = TemporaryDirectory.create()) {
            progress("linking a Java runtime");
            StagedImage staged = StagedImage.stage(work.path(), jdk, jar);
            if (!noClassArchive) {
                progress("running the service, to learn which classes it loads");
                staged.archiveClasses();
            }
            progress("writing " + output);
            String digest = OciArchive.write(output, staged.image(), image, platform);
            print(output + ": " + image + ", " + platform + ", " + Files.size(output) / 1_000_000 + " MB, sha256:"
                    + digest);
        } catch (IOException e) {
            throw new RunFailedException("the image cannot be written: " + e);
        }
        return ExitCode.OK;
    }

    private ImageName imageName() {
        try {
            return name == null ? ImageName.ofThisVersion() : ImageName.parse(name);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--name " + e.getMessage());
        }
    }

    /** The jar that runs: it goes into the image. */
    private static Path jar() {
        CodeSource source = ImageCommand.class.getProtectionDomain().getCodeSource();
        try {
            Path jar = Path.of(source.getLocation().toURI());
            if (Files.isRegularFile(jar)) {
                return jar;
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        throw new InvalidInputException(
                "this is not the packaged command (expected: the launcher, as in ./sluice image)");
    }

    private void progress(String step) {
        stdio.err().println(DisplayText.onOneLine("sluice image: " + step + "..."));
    }

    private void print(String line) {
        OutputBuffer out = new OutputBuffer(stdio.out());
        out.put((DisplayText.onOneLine(line) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
