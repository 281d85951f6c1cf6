package io.sluice.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds projects of users with what is published: the examples, a modular program, and one for each way to depend on it. */
class ConsumersIT {
    private static final Path WORK = Path.of("target", "consumers").toAbsolutePath();
    private static final Path REPOSITORY = Path.of("target", "repository").toAbsolutePath();
    private static final List<String> EXAMPLES = List.of("plain", "partner-job", "spring-orders");

    private static Map<Path, FileTime> installedBefore = Map.of();

    /** All builds are one run of Maven, because to start it takes longer than most of the builds. */
    @BeforeAll
    static void build() throws Exception {
        installedBefore = installed();
        Directories.delete(WORK);
        Directories.delete(REPOSITORY.resolve("io/sluice"));
        for (String example : EXAMPLES) {
            Directories.copy(Surroundings.ROOT.resolve("examples").resolve(example), WORK.resolve(example));
        }
        Path modular = WORK.resolve("modular");
        Directories.copy(Path.of("src/test/projects/modular"), modular);
        Path pom = modular.resolve("pom.xml");
        Files.writeString(pom, Files.readString(pom).replace("@dependencies@", dependencies(jars(), true)));

        for (String jar : jars().toList()) {
            write("only-" + jar, "<dependencies>" + dependencies(Stream.of(jar), true) + "</dependencies>");
        }
        write(
                "bom",
                imports(List.of("io.sluice:sluice-bom:" + Surroundings.VERSION)) + "<dependencies>"
                        + dependencies(jars(), false) + "</dependencies>");
        write(
                "spring-boot",
                imports(List.of("org.springframework.boot:spring-boot-dependencies:" + Surroundings.SPRING_BOOT))
                        + "<dependencies>" + dependencies(Stream.of("sluice-policy", "sluice-redis"), true)
                        + "</dependencies>");
        write("readme", readme());

        String modules;
        try (Stream<Path> projects = Files.list(WORK)) {
            modules = projects.map(project -> "<module>" + project.getFileName() + "</module>")
                    .sorted()
                    .collect(Collectors.joining());
        }
        Files.writeString(WORK.resolve("pom.xml"), project("all", "<modules>" + modules + "</modules>"));
        Maven.ofAUser(WORK, REPOSITORY)
                .run(
                        "verify",
                        "-DargLine=-XX:TieredStopAtLevel=1",
                        "org.apache.maven.plugins:maven-dependency-plugin:" + Surroundings.DEPENDENCY_PLUGIN + ":tree",
                        "-DoutputFile=target/tree.txt");
    }

    static Stream<String> jars() {
        return Published.JARS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "partner-job", "spring-orders"})
    void examples_passTheirTests(String example) throws IOException {
        List<Path> reports = Directories.files(WORK.resolve(example).resolve("target/surefire-reports")).stream()
                .filter(file -> file.toString().endsWith(".xml"))
                .toList();
        assertThat(reports).isNotEmpty();
        for (Path report : reports) {
            assertThat(Files.readString(report)).containsPattern("<testsuite [^>]*tests=\"[1-9]");
        }
        assertThat(Directories.files(WORK.resolve(example)))
                .as("examples say in two commands how they are built and run")
                .contains(WORK.resolve(example).resolve("README.md"));
    }

    @ParameterizedTest
    @MethodSource("jars")
    void consumer_ofOneModule_getsTheVersionsThatWeTest(String jar) throws IOException {
        // An application with the starter has the versions of its Spring Boot, with which the tests of the starter run.
        assumeFalse(jar.equals("sluice-spring-boot-starter"));
        assertVersionsOfThisBuild(tree("only-" + jar));
    }

    @Test
    void consumer_whoImportsTheBom_getsTheVersionsThatWeTest() throws IOException {
        Map<String, String> versions = tree("bom");
        assertThat(versions).containsEntry("io.sluice:sluice-server", Surroundings.VERSION);
        assertVersionsOfThisBuild(versions);
    }

    @Test
    void consumer_onSpringBoot_keepsTheVersionsOfItsPlatform() throws IOException {
        Map<String, String> versions = tree("spring-boot");
        assertThat(versions.get("io.lettuce:lettuce-core")).startsWith("6.6.");
        assertThat(netty(versions)).hasSizeGreaterThan(4);
        assertThat(netty(versions).values())
                .allSatisfy(version -> assertThat(version).startsWith("4.1."));
    }

    @Test
    void readme_hasCoordinatesThatResolve() throws IOException {
        assertThat(tree("readme")).containsEntry("io.sluice:sluice-core", Surroundings.VERSION);
    }

    @Test
    void modularConsumer_findsEachModuleByItsName() throws Exception {
        Path target = WORK.resolve("modular/target");
        String path = Files.readString(target.resolve("module-path")) + File.pathSeparator + target.resolve("classes");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        path,
                        // Automatic modules require nothing by themselves, and some of what they need has a
                        // module-info.
                        "--add-modules",
                        "ALL-MODULE-PATH",
                        "-m",
                        "com.example.modular/com.example.modular.Main")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines())
                .containsAll(Published.JARS.values().stream()
                        .map(name -> name + " true")
                        .toList());
    }

    @Test
    void localRepositoryOfTheUser_isNotTouched() {
        assertThat(installed()).isEqualTo(installedBefore);
        assertThat(Directories.files(REPOSITORY.resolve("io/sluice"))).isNotEmpty();
    }

    private static void assertVersionsOfThisBuild(Map<String, String> versions) {
        Map<String, String> ours = DependencyTree.ofThisBuild();
        Map<String, String> expected = new TreeMap<>(versions);
        expected.replaceAll((artifact, version) -> artifact.startsWith("io.sluice:")
                ? Surroundings.VERSION
                : ours.getOrDefault(artifact, "not in this build"));
        assertThat(versions).isNotEmpty().isEqualTo(expected);
    }

    private static Map<String, String> netty(Map<String, String> versions) {
        return versions.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("io.netty:"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Map<String, String> tree(String project) throws IOException {
        return DependencyTree.read(WORK.resolve(project).resolve("target/tree.txt"));
    }

    private static Map<Path, FileTime> installed() {
        return Directories.files(Surroundings.LOCAL_REPOSITORY.resolve("io/sluice")).stream()
                .collect(Collectors.toMap(file -> file, ConsumersIT::modified));
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void write(String name, String content) throws IOException {
        Path project = Files.createDirectories(WORK.resolve(name));
        Files.writeString(project.resolve("pom.xml"), project(name, content));
    }

    private static String project(String name, String content) {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>%s</artifactId>
                  <version>1.0</version>
                  <packaging>pom</packaging>
                  %s
                </project>
                """.formatted(name, content);
    }

    private static String dependencies(Stream<String> artifacts, boolean withVersion) {
        String version = withVersion ? "<version>" + Surroundings.VERSION + "</version>" : "";
        return artifacts
                .map(artifact -> "<dependency><groupId>io.sluice</groupId><artifactId>" + artifact + "</artifactId>"
                        + version + "</dependency>")
                .collect(Collectors.joining("\n"));
    }

    private static String imports(List<String> boms) {
        return boms.stream()
                .map(bom -> bom.split(":"))
                .map(bom -> """
                        <dependency>
                          <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
                          <type>pom</type><scope>import</scope>
                        </dependency>
                        """.formatted((Object[]) bom))
                .collect(Collectors.joining(
                        "", "<dependencyManagement><dependencies>", "</dependencies></dependencyManagement>"));
    }

    private static String readme() throws IOException {
        Matcher block = Pattern.compile("(?s)```xml\n(.*?)```")
                .matcher(Files.readString(Surroundings.ROOT.resolve("README.md")));
        assertThat(block.find()).as("README.md has coordinates").isTrue();
        return block.group(1);
    }
}
