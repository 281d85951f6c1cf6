package io.sluice.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is published is complete, and nothing else is published. */
class PublishedIT {
    static Stream<String> jars() {
        return Published.JARS.keySet().stream().sorted();
    }

    static Stream<String> artifacts() {
        return Stream.concat(jars(), Stream.of(Published.BOM));
    }

    @Test
    void staging_hasTheModulesAndTheBom_andNothingElse() {
        assertThat(Published.staged())
                .containsExactlyElementsOf(new TreeSet<>(artifacts().toList()));
    }

    @Test
    void bom_hasEveryModule() throws IOException {
        Matcher entry = Pattern.compile("<artifactId>(sluice-[a-z-]+)</artifactId>")
                .matcher(Files.readString(Published.pom(Published.BOM))
                        .replaceFirst("(?s).*<dependencyManagement>", ""));
        List<String> entries = new ArrayList<>();
        while (entry.find()) {
            entries.add(entry.group(1));
        }
        assertThat(entries).containsExactlyInAnyOrderElementsOf(jars().toList());
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void pom_saysWhatItIs_andStandsAlone(String artifact) throws IOException {
        String pom = Files.readString(Published.pom(artifact));
        assertThat(pom)
                .containsPattern("<name>Sluice[^<]*</name>")
                .containsPattern("<description>[^<]{20,}</description>")
                .containsPattern("<url>https://[^<]+</url>")
                .contains("<name>Apache-2.0</name>", "<developer>")
                .containsPattern("<scm[^>]*>\\s*<connection>scm:git:https://[^<]+</connection>")
                .doesNotContain(
                        "<parent>", "<profile>", "<properties>", "<build>", "<scope>test</scope>", "<repositor");
        assertThat(pom.replace("${project.version}", "")).doesNotContain("${");
    }

    @ParameterizedTest
    @MethodSource("jars")
    void jar_hasTheNameOfItsModule(String artifact) throws IOException {
        Jar jar = Jar.read(Published.jar(artifact));
        Manifest manifest = new Manifest(new ByteArrayInputStream(jar.entries().get("META-INF/MANIFEST.MF")));
        assertThat(manifest.getMainAttributes().getValue("Automatic-Module-Name"))
                .isEqualTo(Published.JARS.get(artifact));
    }

    @ParameterizedTest
    @MethodSource("jars")
    void jarAndSources_haveTheLicence(String artifact) throws IOException {
        byte[] licence = Files.readAllBytes(Surroundings.ROOT.resolve("LICENSE"));
        for (Path jar : List.of(Published.jar(artifact), Published.sources(artifact))) {
            assertThat(Jar.read(jar).entries().get("META-INF/LICENSE"))
                    .as("%s", jar)
                    .isEqualTo(licence);
        }
    }

    /** It has the classes of libraries, so it needs their licences. Ours is the first. */
    @Test
    void runnableJar_hasTheLicencesOfAll() throws IOException {
        byte[] licences = Jar.read(Published.runnable()).entries().get("META-INF/LICENSE");
        assertThat(new String(licences, StandardCharsets.UTF_8))
                .startsWith(Files.readString(Surroundings.ROOT.resolve("LICENSE")))
                .contains("Redis Ltd.");
    }

    /** A module path refuses them. */
    @Test
    void packages_areInOneJarOnly() {
        Map<String, String> owners = new HashMap<>();
        List<String> split = new ArrayList<>();
        jars().forEach(artifact -> Jar.read(Published.jar(artifact)).entries().keySet().stream()
                .filter(name -> name.endsWith(".class"))
                .map(name -> name.substring(0, name.lastIndexOf('/')))
                .distinct()
                .forEach(name -> {
                    String other = owners.put(name, artifact);
                    if (other != null) {
                        split.add(name + " in " + other + " and " + artifact);
                    }
                }));
        assertThat(owners).containsKeys("io/sluice", "io/sluice/http");
        assertThat(split).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("jars")
    void sources_areThoseOfTheClasses(String artifact) {
        Jar sources = Jar.read(Published.sources(artifact));
        List<String> missing = Jar.read(Published.jar(artifact)).entries().keySet().stream()
                .filter(name -> name.endsWith(".class"))
                .map(name -> name.replaceFirst("(\\$.*)?\\.class$", ".java"))
                .distinct()
                .filter(name -> !sources.has(name))
                .toList();
        assertThat(missing).isEmpty();
    }

    /** RELEASING.md says that the packages with Javadoc pages are the API. */
    @Test
    void packages_withJavadocPages_areComparedWithTheLastRelease() throws IOException {
        TreeSet<String> pages = new TreeSet<>();
        jars().forEach(artifact -> {
            byte[] list = Jar.read(Published.javadoc(artifact)).entries().get("element-list");
            new String(list, StandardCharsets.UTF_8).lines().forEach(pages::add);
        });
        Matcher include = Pattern.compile("<include>(io\\.sluice[^<]*)</include>")
                .matcher(Files.readString(Surroundings.ROOT.resolve("pom.xml")));
        TreeSet<String> compared = new TreeSet<>();
        while (include.find()) {
            compared.add(include.group(1));
        }
        assertThat(compared).contains("io.sluice").isEqualTo(pages);
    }

    @ParameterizedTest
    @MethodSource("jars")
    void javadoc_hasPagesWhoseLinksLeadSomewhere(String artifact) {
        Jar javadoc = Jar.read(Published.javadoc(artifact));
        String path = String.valueOf(Published.JARS.get(artifact)).replace('.', '/');
        assertThat(javadoc.entries()).containsKey(path + "/package-summary.html");
        assertThat(JavadocLinks.broken(javadoc)).isEmpty();
    }
}
