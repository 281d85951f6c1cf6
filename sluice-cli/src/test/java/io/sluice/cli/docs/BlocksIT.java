package io.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.RedisProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Java and the shell blocks of the documentation, with a real Redis and the packaged service. */
class BlocksIT {
    @TempDir
    Path directory;

    /** The first block of that language on a page. */
    private static String first(String page, String language) {
        return Page.read(Page.ROOT.resolve(page)).blocks().stream()
                .filter(block -> block.is(language))
                .findFirst()
                .orElseThrow()
                .text();
    }

    /** The files that the pages tell a user to write. */
    private void files() throws IOException {
        String policies = first("docs/start/service.md", "yaml");
        Files.writeString(directory.resolve("policies.yaml"), policies);
        Files.writeString(directory.resolve("policies-before.yaml"), policies);
        Files.writeString(directory.resolve("stricter.yaml"), policies.replace("600/min burst 100", "60/min burst 10"));
        Files.writeString(directory.resolve("budgets.yaml"), first("docs/guides/llm-token-budgets.md", "yaml"));
        Files.writeString(directory.resolve("reports.yaml"), first("docs/guides/concurrency.md", "yaml"));
        Files.writeString(
                Files.createDirectory(directory.resolve("config")).resolve("edge.yaml"),
                first("docs/reference/envoy.md", "yaml"));
    }

    private static void failIfAny(List<String> failures) {
        assertThat(failures).as(String.join("\n\n", failures)).isEmpty();
    }

    @Test
    void java_runs() throws Exception {
        files();
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Path out = directory.resolve("java.out");
        try (RedisProcess redis = RedisProcess.start()) {
            Map<Block, String> names = JavaBlocks.compile(
                    BlocksTest.blocks("java"),
                    text -> text.replace("redis://localhost", redis.uri())
                            .replace("Path.of(\"", "Path.of(\"" + directory + "/"),
                    classes);
            List<String> command = new ArrayList<>(List.of(
                    Service.JAVA,
                    "-cp",
                    classes + File.pathSeparator + System.getProperty("java.class.path"),
                    JavaRunner.class.getName()));
            names.values().forEach(name -> command.add("docs." + name));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
            String printed = Files.readString(out);
            assertThat(process.exitValue()).as(printed).isZero();
            failIfAny(names.entrySet().stream()
                    .flatMap(block -> printed.lines()
                            .filter(line -> line.startsWith(JavaRunner.FAILED + "docs." + block.getValue() + " "))
                            .map(line -> block.getKey() + ": " + line))
                    .toList());
        }
    }

    @Test
    void shell_runs_andPrintsWhatIsShown() throws Exception {
        files();
        List<String> failures = new ArrayList<>();
        try (RedisProcess redis = RedisProcess.start();
                Service service = Service.start(
                        directory,
                        "--config",
                        directory.resolve("policies.yaml").toString())) {
            Shell shell = new Shell(directory, service, redis.uri());
            for (Block block : runnable("sh")) {
                attempt(() -> shell.run(block), failures);
            }
            for (Block block : runnable("console")) {
                attempt(() -> shell.compare(block), failures);
            }
        }
        failIfAny(failures);
    }

    /** Without blocks that call other programs: {@link BlocksTest} refuses these. */
    private static List<Block> runnable(String language) {
        return BlocksTest.blocks(language).stream()
                .filter(block -> Shell.unknownPrograms(block).isEmpty())
                .toList();
    }

    /** What may fail. */
    private interface Attempt {
        void run() throws Exception;
    }

    private static void attempt(Attempt attempt, List<String> failures) throws Exception {
        try {
            attempt.run();
        } catch (AssertionError e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }
}
