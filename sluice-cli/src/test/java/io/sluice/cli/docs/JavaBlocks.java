package io.sluice.cli.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the Java blocks of the documentation, each as a class that extends {@link Surroundings}. */
final class JavaBlocks {
    /** The modules that users see; each of their packages is imported, so that blocks need no imports. */
    private static final List<String> MODULES =
            List.of("sluice-core", "sluice-redis", "sluice-policy", "sluice-micrometer", "sluice-testkit");

    private static final List<String> IMPORTS = List.of(
            "io.micrometer.core.instrument.Meter",
            "io.micrometer.core.instrument.config.MeterFilter",
            "io.micrometer.core.instrument.distribution.DistributionStatisticConfig",
            "io.sluice.server.ServerConfig",
            "io.sluice.server.SluiceServer",
            "java.nio.file.*",
            "java.time.*",
            "java.time.format.*",
            "java.util.*",
            "java.util.concurrent.*",
            "static org.assertj.core.api.Assertions.*");

    /** A method declaration at the left margin: then the block is the body of a class. */
    private static final Pattern METHOD = Pattern.compile("(?m)^(static )?[A-Z][\\w<>]* \\w+\\(.*\\) .*\\{$");

    private JavaBlocks() {}

    /** Source of one block. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /**
     * Compiles blocks.
     *
     * @param adapt changes the text of a block, such as an address in it
     * @param classes the directory to write to
     * @return the name of the class for each block
     * @throws AssertionError if one does not compile, with page and line
     */
    static Map<Block, String> compile(List<Block> blocks, UnaryOperator<String> adapt, Path classes) {
        String head = head();
        int headLines = (int) head.lines().count();
        Map<Block, String> names = new LinkedHashMap<>();
        Map<String, Block> byFile = new LinkedHashMap<>();
        List<Source> sources = new ArrayList<>();
        for (Block block : blocks) {
            String name = "Block" + names.size();
            names.put(block, name);
            byFile.put("/" + name + ".java", block);
            sources.add(new Source(name, head + body(name, adapt.apply(block.text()))));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-d", classes.toString(), "-classpath", System.getProperty("java.class.path"));
        boolean compiled =
                compiler.getTask(null, null, problems, options, null, sources).call();
        if (!compiled) {
            StringBuilder text = new StringBuilder("the documentation has Java that does not compile:\n");
            for (Diagnostic<? extends JavaFileObject> problem : problems.getDiagnostics()) {
                JavaFileObject source = problem.getSource();
                if (problem.getKind() == Diagnostic.Kind.ERROR && source != null) {
                    Block block = byFile.get(source.toUri().getPath());
                    // The first line of a body shares its line with the class.
                    long line = block == null ? 0 : block.line() + problem.getLineNumber() - headLines - 2;
                    text.append(block == null ? source.getName() : block.page())
                            .append(':')
                            .append(line)
                            .append(": ")
                            .append(problem.getMessage(Locale.ROOT))
                            .append('\n');
                }
            }
            throw new AssertionError(text.toString());
        }
        return names;
    }

    private static String head() {
        StringBuilder head = new StringBuilder("package docs;\n");
        Stream.concat(IMPORTS.stream(), packages().map(name -> name + ".*"))
                .forEach(name -> head.append("import ").append(name).append(";\n"));
        return head.toString();
    }

    private static Stream<String> packages() {
        return MODULES.stream().flatMap(module -> {
            Path sources = Page.ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                return files
                        .filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                        .map(file ->
                                sources.relativize(file.getParent()).toString().replace('/', '.'))
                        .distinct()
                        .sorted()
                        .toList()
                        .stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static String body(String name, String text) {
        String type = "public final class " + name + " extends io.sluice.cli.docs.Surroundings {";
        return METHOD.matcher(text).find()
                ? type + "\n" + text + "@Override public void run() {}\n}\n"
                : type + " @Override public void run() throws Exception {\n" + text + "}\n}\n";
    }
}
