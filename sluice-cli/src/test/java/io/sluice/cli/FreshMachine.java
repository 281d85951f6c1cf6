package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A machine as it is after its installation: a PATH with the basic programs of every Unix, a checkout with the two scripts, and
 * nothing else. Java, Maven and package managers are added as scripts that pretend to be them, and write down how they are called.
 */
final class FreshMachine {
    private static final List<String> BASICS = List.of(
            "bash",
            "cat",
            "dirname",
            "env",
            "find",
            "grep",
            "head",
            "mkdir",
            "mktemp",
            "mv",
            "readlink",
            "rm",
            "sed",
            "touch",
            "uname");
    private static final Path REPOSITORY = Path.of("..");

    private final Path directory;
    private final Path bin;
    private final Map<String, String> variables = new HashMap<>();

    FreshMachine(Path directory) throws IOException {
        this.directory = directory;
        this.bin = Files.createDirectory(directory.resolve("bin"));
        for (String basic : BASICS) {
            real(basic);
        }
        Path scripts = Files.createDirectories(checkout().resolve("scripts"));
        Files.copy(REPOSITORY.resolve("sluice"), checkout().resolve("sluice"));
        try (Stream<Path> files = Files.list(REPOSITORY.resolve("scripts"))) {
            for (Path file : files.toList()) {
                Files.copy(file, scripts.resolve(file.getFileName()));
            }
        }
        Files.writeString(checkout().resolve("pom.xml"), "<project/>\n");
        user(1000);
    }

    private static Path find(String program) {
        return Stream.of("/usr/bin", "/bin", "/usr/local/bin")
                .map(place -> Path.of(place, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + program));
    }

    /** Adds a program of the machine that runs this test. */
    FreshMachine real(String program) throws IOException {
        Files.createSymbolicLink(bin.resolve(program), find(program));
        return this;
    }

    private Path checkout() {
        return directory.resolve("checkout");
    }

    /** Where the usual places of Java are looked for, instead of in the root directory. */
    Path root() {
        return directory.resolve("root");
    }

    FreshMachine user(int id) throws IOException {
        return program("id", "echo " + id);
    }

    FreshMachine variable(String name, String value) {
        variables.put(name, value);
        return this;
    }

    /** Adds a program on the PATH. */
    FreshMachine program(String name, String script) throws IOException {
        write(bin.resolve(name), script);
        return this;
    }

    private static void write(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.deleteIfExists(file);
        Files.writeString(file, "#!/usr/bin/env bash\n" + script + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
    }

    /** Adds a Java of that version in {@code home/bin}; the launcher runs it in the end. */
    FreshMachine java(Path home, String version, boolean withCompiler) throws IOException {
        write(home.resolve("bin").resolve("java"), javaScript(version));
        if (withCompiler) {
            write(home.resolve("bin").resolve("javac"), "true");
        }
        return this;
    }

    /** Adds a Java on the PATH. */
    FreshMachine javaOnPath(String version, boolean withCompiler) throws IOException {
        return java(directory, version, withCompiler);
    }

    private static String javaScript(String version) {
        return """
                if [ "$1" = -version ]; then
                  echo 'openjdk version "%s" 2025-01-01' >&2
                else
                  echo "java %s runs ${*: -1}"
                fi""".formatted(version, version);
    }

    /** Adds a Maven that builds the jar. */
    FreshMachine maven(String version) throws IOException {
        return program("mvn", mavenScript(version));
    }

    private String mavenScript(String version) {
        return """
                if [ "$1" = -v ]; then
                  echo 'Apache Maven %s (abc)'
                else
                  echo "mvn $* with JAVA_HOME=${JAVA_HOME:-}" >>'%s'
                  ending=
                  for word in "$@"; do
                    case $word in -Drunnable.ending=*) ending=${word#*=} ;; esac
                  done
                  mkdir -p sluice-cli/target '%s/sluice-cli/target'
                  touch '%s/sluice-cli/target/sluice.jar'"$ending"
                fi""".formatted(version, log(), checkout(), checkout());
    }

    /** Adds a Maven whose build is stopped, with the launcher, when a part of the jar is written. */
    FreshMachine mavenThatIsKilled(String version) throws IOException {
        return program("mvn", mavenScript(version) + "\n[ \"$1\" = -v ] || kill -KILL $PPID");
    }

    /** Adds a Maven that begins to write the jar, and goes on when another launcher waits for it. */
    FreshMachine mavenThatIsAwaited(String version) throws IOException {
        return program("mvn", mavenScript(version) + """

                if [ "$1" != -v ]; then
                  for try in {1..2000}; do
                    grep -q 'waiting for another build' '%s'/err* && break
                  done
                fi""".formatted(directory));
    }

    /** The jar as a build leaves it. */
    FreshMachine built() throws IOException {
        Path jar = checkout().resolve("sluice-cli/target/sluice.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "");
        return this;
    }

    /**
     * Adds the package manager of Debian.
     *
     * @param javas the versions of Java that it has
     * @param maven the version of Maven that it has
     */
    FreshMachine apt(List<Integer> javas, String maven) throws IOException {
        StringBuilder known = new StringBuilder("case $2 in\n");
        StringBuilder install = new StringBuilder(
                "echo \"apt-get $*\" >>'" + log() + "'\n"
                        + "echo 'chatter of apt-get'\n[ \"$1\" = install ] || exit 0\nfor package in \"$@\"; do\ncase $package in\n");
        for (int java : javas) {
            for (String kind : List.of("jre", "jdk")) {
                Path ready = directory.resolve("packages/" + java + kind);
                java(ready, java + ".0.1", kind.equals("jdk"));
                String name = "openjdk-" + java + "-" + kind + "-headless";
                known.append(name).append(") exit 0 ;;\n");
                install.append(name)
                        .append(") ln=1; for f in '")
                        .append(ready)
                        .append("'/bin/*; do cat \"$f\" >'")
                        .append(bin)
                        .append("'/\"${f##*/}\"; done ;;\n");
            }
        }
        Path ready = directory.resolve("packages/mvn");
        write(ready, mavenScript(maven));
        install.append("maven) cat '").append(ready).append("' >'").append(bin).append("/mvn' ;;\n");
        install.append("esac\ndone\nchmod +x '").append(bin).append("'/*");
        Files.createSymbolicLink(bin.resolve("chmod"), find("chmod"));
        program("apt-cache", known + "esac\nexit 100");
        return program("apt-get", install.toString());
    }

    /** Lets another program have the lock of the package manager at the first try. */
    FreshMachine aptIsBusyOnce() throws IOException {
        Path free = directory.resolve("apt-get");
        Files.move(bin.resolve("apt-get"), free);
        program("sleep", "echo \"sleep $*\" >>'" + log() + "'");
        return program(
                "apt-get",
                "mv '" + free + "' '" + bin.resolve("apt-get") + "'\n"
                        + "echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1' >&2\nexit 100");
    }

    private Path log() {
        return directory.resolve("log");
    }

    /** How Maven and the package manager were called, one call on each line. */
    List<String> calls() throws IOException {
        return Files.exists(log()) ? Files.readAllLines(log()) : List.of();
    }

    /** Runs a script of the checkout. */
    CommandRun run(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(checkout().resolve(script).toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** Runs a line of the shell in the directory of the checkout. */
    CommandRun shell(String line) throws IOException, InterruptedException {
        return run(List.of(bin.resolve("bash").toString(), "-c", line));
    }

    private CommandRun run(List<String> command) throws IOException, InterruptedException {
        Path err = Files.createTempFile(directory, "err", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectError(err.toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", bin.toString());
        environment.put("TMPDIR", directory.toString());
        environment.put("SLUICE_SETUP_ROOT", root().toString());
        environment.putAll(variables);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new CommandRun(process.waitFor(), out, Files.readString(err).replace(bin.toString(), "BIN"));
    }
}
