package io.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of errors has every exception that the library has for its users. */
class ErrorsPageTest {
    /** The packages that users call; those below them are internal. */
    private static final List<String> PACKAGES = List.of(
            "sluice-core/src/main/java/io/sluice",
            "sluice-core/src/main/java/io/sluice/spi",
            "sluice-core/src/main/java/io/sluice/memory",
            "sluice-core/src/main/java/io/sluice/memory/snapshot",
            "sluice-redis/src/main/java/io/sluice/redis",
            "sluice-policy/src/main/java/io/sluice/policy");

    private static List<String> exceptions() throws IOException {
        List<String> names = new ArrayList<>();
        for (String directory : PACKAGES) {
            try (Stream<Path> files = Files.list(Page.ROOT.resolve(directory))) {
                for (Path file : files.filter(path -> path.toString().endsWith("Exception.java"))
                        .toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    if (Files.readString(file).contains("public final class " + name + " ")) {
                        names.add(name);
                    }
                }
            }
        }
        return names;
    }

    @Test
    void page_hasEveryPublicException() throws IOException {
        List<String> page =
                Page.read(Page.ROOT.resolve("docs/reference/errors.md")).lines();
        assertThat(exceptions())
                .hasSizeGreaterThan(4)
                .allSatisfy(name -> assertThat(page).anyMatch(line -> line.startsWith("| `" + name + "`")));
    }
}
