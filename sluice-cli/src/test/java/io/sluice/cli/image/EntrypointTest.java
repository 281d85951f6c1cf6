package io.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The image, the Dockerfile and the launcher run the service in the same way. */
class EntrypointTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern OPTION = Pattern.compile("-X[\\w:+=.-]+");

    private static String dockerfile() throws IOException {
        return Files.readString(ROOT.resolve("deploy").resolve("Dockerfile"));
    }

    private static List<String> options(String text) {
        List<String> options = new ArrayList<>();
        Matcher option = OPTION.matcher(text);
        while (option.find()) {
            options.add(option.group());
        }
        return options;
    }

    /** The lines of a file that begin, after spaces, with one of these. */
    private static String lines(String text, String... beginnings) {
        StringBuilder found = new StringBuilder();
        for (String line : text.lines().toList()) {
            for (String beginning : beginnings) {
                if (line.strip().startsWith(beginning)) {
                    found.append(line).append('\n');
                }
            }
        }
        return found.toString();
    }

    @Test
    void options_areThoseOfTheDockerfile() throws IOException {
        assertThat(options(lines(dockerfile(), "ENTRYPOINT"))).isEqualTo(Entrypoint.JVM_OPTIONS);
    }

    /** The launcher leaves the size of the heap to its user. */
    @Test
    void options_areThoseOfTheLauncher() throws IOException {
        String launcher = Files.readString(ROOT.resolve("sluice"));
        String serve = launcher.substring(launcher.indexOf("= serve ]"));
        List<String> image = new ArrayList<>(Entrypoint.JVM_OPTIONS);
        assertThat(image.remove("-XX:MaxRAMPercentage=50")).isTrue();
        assertThat(options(lines(serve, "memory=", "collector=", "exec "))).containsExactlyInAnyOrderElementsOf(image);
    }

    @Test
    void config_isThatOfTheDockerfile() throws IOException {
        String dockerfile = dockerfile();
        assertThat(lines(dockerfile, "USER")).isEqualTo("USER " + ImageConfig.USER + "\n");
        assertThat(lines(dockerfile, "WORKDIR /var")).isEqualTo("WORKDIR " + ImageConfig.HOME + "\n");
        assertThat(lines(dockerfile, "EXPOSE").split("\\s+"))
                .contains(ImageConfig.PORTS.stream().map(String::valueOf).toArray(String[]::new))
                .hasSize(1 + ImageConfig.PORTS.size());
        assertThat(lines(dockerfile, "ENV").split("\\s+"))
                .contains(ImageConfig.VARIABLES.entrySet().stream()
                        .map(Object::toString)
                        .toArray(String[]::new))
                .hasSize(1 + ImageConfig.VARIABLES.size());
    }

    @Test
    void command_withoutAClassArchive_doesNotNameIt() {
        assertThat(Entrypoint.command(true)).contains("-XX:SharedArchiveFile=/opt/sluice/sluice.jsa");
        assertThat(Entrypoint.command(false)).noneMatch(option -> option.contains("SharedArchiveFile"));
    }
}
