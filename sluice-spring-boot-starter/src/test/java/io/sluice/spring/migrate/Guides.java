package io.sluice.spring.migrate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The guides with Spring code, and the sources of that code. A YAML block of a guide is a file of the test resources. A Java block is
 * the part of a Java file between {@code // docs} and {@code // end}.
 */
final class Guides {
    private static final Pattern BLOCK = Pattern.compile(
            "<!-- not run: here, but in the tests of the starter: (\\S+) -->\n```(?:java|yaml)\n(.*?\n)```\n",
            Pattern.DOTALL);
    private static final Pattern SHOWN = Pattern.compile("(?m)^ *// docs\n(.*?\n) *// end\n", Pattern.DOTALL);

    private static final Path ROOT = root();
    private static final Path TESTS = ROOT.resolve("sluice-spring-boot-starter/src/test");
    private static final Path JAVA = TESTS.resolve("java/io/sluice/spring/migrate");
    private static final Path YAML = TESTS.resolve("resources/io/sluice/spring/migrate");

    private Guides() {}

    /** A block of a guide. */
    record Block(String guide, String source, String text) {}

    /** The repository. The tests run in the directory of one of its modules. */
    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/guides"))) {
            directory = Objects.requireNonNull(directory.getParent(), "a repository with docs/guides");
        }
        return directory;
    }

    static String page(String name) {
        return read(ROOT.resolve("docs/guides").resolve(name));
    }

    /** The blocks of all guides that name a source here. */
    static List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (String guide : List.of("spring.md", "migrate.md", "gateways.md")) {
            Matcher block = BLOCK.matcher(page(guide));
            while (block.find()) {
                blocks.add(new Block(guide, block.group(1), block.group(2)));
            }
        }
        return blocks;
    }

    /** The text that a guide shows of a source. */
    static String source(String name) {
        if (name.endsWith(".yaml")) {
            return read(YAML.resolve(name));
        }
        Matcher shown = SHOWN.matcher(read(JAVA.resolve(name)));
        if (!shown.find()) {
            throw new AssertionError(name + ": no text between // docs and // end");
        }
        return shown.group(1).stripIndent();
    }

    /** The names of all sources. */
    static List<String> sources() throws IOException {
        try (Stream<Path> java = Files.list(JAVA);
                Stream<Path> yaml = Files.list(YAML)) {
            return Stream.concat(java.filter(file -> SHOWN.matcher(read(file)).find()), yaml)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toList());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
