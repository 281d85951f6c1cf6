package io.sluice.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Maven of this build, run in a project of its own. */
final class Maven {
    private final Path project;
    private final List<String> options = new ArrayList<>();

    private Maven(Path project) throws IOException {
        this.project = project;
        // Maven looks for this directory upwards, and would else find the one of this build.
        Files.createDirectories(project.resolve(".mvn"));
    }

    /**
     * As a user runs it who has his own local repository. It takes Sluice from the staging directory, and everything else from
     * the local repository of this build, or else from where the user's settings say.
     */
    static Maven ofAUser(Path project, Path localRepository) throws IOException {
        Maven maven = new Maven(project);
        Path settings = Files.writeString(project.resolve("settings.xml"), settings());
        maven.options.addAll(List.of("-gs", settings.toString(), "-Dmaven.repo.local=" + localRepository));
        // Files are near enough for a build that is offline.
        maven.options.add("-Daether.offline.protocols=file");
        if (Surroundings.OFFLINE) {
            maven.options.add("-o");
        }
        return maven;
    }

    /** As a maintainer runs it right after this build: everything is in the local repository, nothing is installed there. */
    static Maven ofAMaintainer(Path project) throws IOException {
        Maven maven = new Maven(project);
        maven.options.addAll(List.of("-o", "-Dmaven.repo.local=" + Surroundings.LOCAL_REPOSITORY));
        return maven;
    }

    /** Runs to the end. Fails with the output if Maven fails. */
    void run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Surroundings.MAVEN_HOME.resolve("bin/mvn").toString());
        command.addAll(List.of("-B", "-ntp"));
        command.addAll(options);
        command.addAll(List.of(arguments));
        Path log = project.resolve("maven.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.remove("MAVEN_ARGS");
        // It ends before the optimizing compiler would pay.
        environment.merge("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", (own, more) -> own + " " + more);
        if (builder.start().waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + " in " + project + ":\n" + Files.readString(log));
        }
    }

    /**
     * A mirror for exactly one repository wins over mirrors for all, so a user's own mirror does not hide the directories. The
     * local repository comes without metadata, so it is asked for releases only.
     */
    private static String settings() {
        return """
                <settings>
                  <mirrors>
                    %s
                    %s
                  </mirrors>
                  <profiles>
                    <profile>
                      <id>staged</id>
                      <repositories>%s%s</repositories>
                      <pluginRepositories>%s</pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles>
                    <activeProfile>staged</activeProfile>
                  </activeProfiles>
                </settings>
                """.formatted(
                        mirror("sluice-staging", Surroundings.STAGING),
                        mirror("sluice-cache", Surroundings.LOCAL_REPOSITORY),
                        repository("repository", "sluice-staging", Surroundings.STAGING, true),
                        repository("repository", "sluice-cache", Surroundings.LOCAL_REPOSITORY, false),
                        repository("pluginRepository", "sluice-cache", Surroundings.LOCAL_REPOSITORY, false));
    }

    private static String mirror(String id, Path directory) {
        return "<mirror><id>%s</id><mirrorOf>%s</mirrorOf><url>%s</url></mirror>".formatted(id, id, directory.toUri());
    }

    private static String repository(String element, String id, Path directory, boolean snapshots) {
        return """
                <%s>
                  <id>%s</id>
                  <url>%s</url>
                  <releases><checksumPolicy>ignore</checksumPolicy></releases>
                  <snapshots><enabled>%s</enabled><updatePolicy>always</updatePolicy></snapshots>
                </%s>
                """.formatted(element, id, directory.toUri(), snapshots, element);
    }
}
