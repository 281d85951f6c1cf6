package io.sluice.cli.image;

import java.util.ArrayList;
import java.util.List;

/** The command that a container runs, and its places in the image. */
final class Entrypoint {
    static final String JAVA_HOME = "opt/java";
    static final String JAR = "opt/sluice/sluice.jar";
    static final String CLASS_ARCHIVE = "opt/sluice/sluice.jsa";

    /** The same as in the launcher and in deploy/Dockerfile, which say why. {@code EntrypointTest} compares them. */
    static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:MaxTenuringThreshold=0",
            "-XX:NewSize=16m",
            "-XX:MaxNewSize=16m",
            "-XX:ThreadPriorityPolicy=1",
            "-XX:JavaPriority1_To_OSPriority=10",
            "-XX:-PrintWarnings",
            "-XX:MaxRAMPercentage=50",
            "-XX:MaxDirectMemorySize=96m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Xlog:disable",
            "-Xlog:all=error:stderr");

    private Entrypoint() {}

    /** The command up to the subcommand. */
    static List<String> command(boolean hasClassArchive) {
        List<String> command = new ArrayList<>(List.of("/" + JAVA_HOME + "/bin/java"));
        command.addAll(JVM_OPTIONS);
        if (hasClassArchive) {
            command.add("-XX:SharedArchiveFile=/" + CLASS_ARCHIVE);
        }
        command.addAll(List.of("-jar", "/" + JAR));
        return command;
    }
}
