package io.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.sluice.policy.Policies;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every block of the documentation is of a kind that a test can judge, or says why not. Java compiles, YAML is read by the
 * reader that it is for, JSON is JSON. {@link BlocksIT} runs Java and shell.
 */
class BlocksTest {
    /** Judged here or in {@link BlocksIT}. */
    private static final Set<String> JUDGED = Set.of("java", "yaml", "sh", "console", "json");

    /** Judged by the tests of gateways, which find them by the comment. */
    private static final Set<String> GATEWAYS = Set.of("nginx", "caddy", "haproxy", "lua");

    /** To be read only: grammar, messages, tables. */
    private static final Set<String> SHOWN = Set.of("text", "http");

    private static final Pattern COMMAND =
            Pattern.compile("(?m)^(\\$ |\\./sluice |curl |redis-cli |docker |kubectl |mvn )");

    /** Text diagrams of the architecture are indented; everything else is fenced. */
    private static final Set<String> INDENTED = Set.of("docs/architecture.md");

    /** The blocks of that language that are to be run. */
    static List<Block> blocks(String language) {
        return Page.all().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> block.is(language) && !block.isNotRun())
                .toList();
    }

    @Test
    void blocks_areOfAKindThatIsRun_orSayWhyNot() {
        List<String> problems = new ArrayList<>();
        for (Page page : Page.all()) {
            for (Block block : page.blocks()) {
                problem(block).forEach(problem -> problems.add(block + ": " + problem));
            }
            problems.addAll(indented(page));
        }
        assertThat(problems).isEmpty();
    }

    private static Stream<String> problem(Block block) {
        if (block.is("sh") || block.is("console")) {
            return block.isNotRun() || Shell.unknownPrograms(block).isEmpty()
                    ? Stream.empty()
                    : Stream.of("calls " + Shell.unknownPrograms(block) + " (expected: <!-- not run: reason -->)");
        }
        if (block.isNotRun() || JUDGED.contains(block.language())) {
            return Stream.empty();
        }
        if (GATEWAYS.contains(block.language())) {
            return block.comment().matches("\\w+IT runs this.*")
                    ? Stream.empty()
                    : Stream.of("no test names it (expected: <!-- ...IT runs this --> or <!-- not run: reason -->)");
        }
        if (SHOWN.contains(block.language())) {
            return COMMAND.matcher(block.text()).find()
                    ? Stream.of("a command in a block that is not run (expected: sh or console)")
                    : Stream.empty();
        }
        return Stream.of("language \"" + block.language() + "\" (expected: one of " + JUDGED + ", " + GATEWAYS + ", "
                + SHOWN + ", or <!-- not run: reason -->)");
    }

    private static List<String> indented(Page page) {
        List<String> problems = new ArrayList<>();
        List<String> prose = page.prose();
        for (int i = 1; i < prose.size() && !INDENTED.contains(page.name()); i++) {
            if (prose.get(i).startsWith("    ") && prose.get(i - 1).isEmpty()) {
                problems.add(page.name() + ":" + (i + 1) + ": an indented block (expected: a fenced one)");
            }
        }
        return problems;
    }

    @Test
    void unknownBlocks_areFound() {
        assertThat(problem(new Block("a.md", 1, "", "", "x\n"))).hasSize(1);
        assertThat(problem(new Block("a.md", 1, "text", "", "./sluice serve\n")))
                .hasSize(1);
        assertThat(problem(new Block("a.md", 1, "sh", "", "./sluice validate a.yaml && kubectl apply\n")))
                .containsExactly("calls [kubectl] (expected: <!-- not run: reason -->)");
        assertThat(problem(new Block("a.md", 1, "nginx", "not run: ", "x\n"))).hasSize(1);
        assertThat(problem(new Block("a.md", 1, "nginx", "not run: because", "x\n")))
                .isEmpty();
    }

    @Test
    void java_compiles(@TempDir Path classes) {
        List<Block> blocks = blocks("java");
        assertThat(blocks).hasSizeGreaterThan(20);
        assertThat(JavaBlocks.compile(blocks, UnaryOperator.identity(), classes))
                .hasSameSizeAs(blocks);
    }

    @Test
    void yaml_isReadWithoutWarnings(@TempDir Path directory) throws IOException {
        List<Block> blocks = blocks("yaml");
        assertThat(blocks).hasSizeGreaterThan(8);
        for (Block block : blocks) {
            try {
                read(block, directory);
            } catch (RuntimeException e) {
                throw new AssertionError(block + ": " + e.getMessage(), e);
            }
        }
    }

    private static void read(Block block, Path directory) throws IOException {
        if (block.text().startsWith("domain:")) {
            EnvoyConfig.parse(Map.of("envoy.yaml", block.text()));
        } else if (block.text().contains("version: 1\n")) {
            assertThat(Policies.parse(block.text(), block.toString()).warnings())
                    .as(block.toString())
                    .isEmpty();
        } else {
            Settings.read(Map.of(), Files.writeString(directory.resolve("settings.yaml"), block.text()), Map.of());
        }
    }

    @Test
    void json_isJson() throws IOException {
        for (Block block : blocks("json")) {
            try (JsonParser parser = new JsonFactory().createParser(block.text())) {
                while (parser.nextToken() != null) {
                    parser.skipChildren();
                }
            }
        }
    }

    @Test
    void examples_onThePage_areTheFiles() throws IOException {
        List<String> shown = Page.read(Page.ROOT.resolve("docs/reference/policies.md")).blocks().stream()
                .map(Block::text)
                .toList();
        try (Stream<Path> files = Files.list(Page.ROOT.resolve("docs/examples"))) {
            for (Path file : files.toList()) {
                assertThat(shown).as(file.toString()).contains(Files.readString(file));
            }
        }
    }
}
