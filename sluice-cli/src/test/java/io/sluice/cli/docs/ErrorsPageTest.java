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
    private static List<String> exceptions() throws IOException {
        List<String> names = new ArrayList<>();
        for (String module : List.of("sluice-core", "sluice-redis", "sluice-policy")) {
            try (Stream<Path> files = Files.walk(Page.ROOT.resolve(module).resolve("src/main/java"))) {
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
