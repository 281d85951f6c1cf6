package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code ./sluice} and {@code scripts/test} where Java, Maven and the other programs are missing. */
class SetupIT {
    private static final int ROOT = 0;
    private static final int KILLED = 128 + 9;
    private static final String JDK_AND_MAVEN =
            "missing: a JDK 17 or newer (found: no java); Maven 3.8.7 or newer (found: no mvn)\n";

    @TempDir
    Path directory;

    private FreshMachine machine;

    @BeforeEach
    void createMachine() throws Exception {
        machine = new FreshMachine(directory);
    }

    @Test
    void sluice_asRootOnDebian_installsBuildsAndRuns_andStandardOutputIsThatOfTheCommand() throws Exception {
        machine.user(ROOT).apt(List.of(17), "3.8.7");

        CommandRun ran = machine.run("sluice", "simulate");

        assertThat(ran)
                .isEqualTo(new CommandRun(
                        0,
                        "java 17.0.1 runs simulate\n",
                        "sluice: " + JDK_AND_MAVEN
                                + "sluice: installing openjdk-17-jdk-headless maven\n"
                                + "sluice: building (first run, about a minute)...\n"));
        assertThat(machine.calls()).hasSize(3);
        assertThat(machine.calls().get(0)).isEqualTo("apt-get update -qq");
        assertThat(machine.calls().get(1)).startsWith("apt-get install -y ").endsWith(" openjdk-17-jdk-headless maven");
        assertThat(machine.calls().get(2)).startsWith("mvn ").contains(" -pl sluice-cli -am ", " package ");
    }

    @Test
    void sluice_secondTime_installsNothing() throws Exception {
        machine.user(ROOT).apt(List.of(17), "3.8.7");
        machine.run("sluice", "simulate");

        assertThat(machine.run("sluice", "validate")).isEqualTo(new CommandRun(0, "java 17.0.1 runs validate\n", ""));
        assertThat(machine.calls()).hasSize(3);
    }

    @Test
    void sluice_calledByARelativePath_findsItsCheckout_whateverCdpathSays() throws Exception {
        machine.built().javaOnPath("17.0.1", false).variable("CDPATH", directory.toString());

        assertThat(machine.shell("checkout/sluice validate"))
                .isEqualTo(new CommandRun(0, "java 17.0.1 runs validate\n", ""));
    }

    @Test
    void build_thatWasStopped_isNotTakenForABuild() throws Exception {
        machine.javaOnPath("17.0.1", true).mavenThatIsKilled("3.9.9");
        assertThat(machine.run("sluice", "validate").exitCode()).isEqualTo(KILLED);

        machine.maven("3.9.9");
        assertThat(machine.run("sluice", "validate").out()).isEqualTo("java 17.0.1 runs validate\n");
        assertThat(machine.calls()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flock", "perl"})
    void sluice_whileAnotherBuilds_waitsForIt_andBuildsNothing(String withLocks) throws Exception {
        machine.javaOnPath("17.0.1", true).mavenThatIsAwaited("3.9.9").real(withLocks);
        CompletableFuture<CommandRun> first = CompletableFuture.supplyAsync(() -> runs("serve"));
        CompletableFuture<CommandRun> second = CompletableFuture.supplyAsync(() -> runs("validate"));

        assertThat(List.of(first.join().out(), second.join().out()))
                .isEqualTo(List.of("java 17.0.1 runs serve\n", "java 17.0.1 runs validate\n"));
        assertThat(List.of(first.join().err(), second.join().err()))
                .containsExactlyInAnyOrder(
                        "sluice: building (first run, about a minute)...\n", "sluice: waiting for another build...\n");
        assertThat(machine.calls()).hasSize(1);
    }

    private CommandRun runs(String command) {
        try {
            return machine.run("sluice", command);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aptGet_thatIsBusy_isAwaited() throws Exception {
        machine.user(ROOT).apt(List.of(17), "3.8.7").aptIsBusyOnce();

        CommandRun ran = machine.run("sluice", "simulate");

        assertThat(ran.out()).isEqualTo("java 17.0.1 runs simulate\n");
        assertThat(ran.err()).contains("sluice: waiting for another apt-get...\nsluice: installing ");
        assertThat(machine.calls()).startsWith("sleep 1", "apt-get update -qq");
    }

    @Test
    void debian_withoutJava17_getsTheVersionThatItHas() throws Exception {
        machine.user(ROOT).apt(List.of(21), "3.9.9");

        assertThat(machine.run("sluice", "simulate").err())
                .contains("sluice: installing openjdk-21-jdk-headless maven\n");
    }

    @Test
    void sluice_thatIsBuilt_needsOnlyAJavaRuntime() throws Exception {
        machine.built().javaOnPath("17.0.1", false);

        assertThat(machine.run("sluice", "serve")).isEqualTo(new CommandRun(0, "java 17.0.1 runs serve\n", ""));
    }

    @Test
    void sluice_thatIsBuilt_withoutJava_installsTheRuntimeOnly() throws Exception {
        machine.built().user(ROOT).apt(List.of(17), "3.8.7");

        assertThat(machine.run("sluice", "serve")).isEqualTo(new CommandRun(0, "java 17.0.1 runs serve\n", """
                        sluice: missing: Java 17 or newer (found: no java)
                        sluice: installing openjdk-17-jre-headless
                        """));
    }

    @ParameterizedTest
    @CsvSource({
        "dnf,    dnf install java-21-openjdk-devel maven",
        "apk,    apk add openjdk21-jdk maven",
        "pacman, pacman -S jdk21-openjdk maven",
        "zypper, zypper install java-21-openjdk-devel maven",
    })
    void sluice_onAnotherSystem_namesItsPackages(String manager, String command) throws Exception {
        machine.program(manager, "echo it must not be called >&2; exit 1");

        assertThat(machine.run("sluice", "simulate"))
                .isEqualTo(new CommandRun(
                        2, "", "sluice: " + JDK_AND_MAVEN + "sluice: install it, as root, with: " + command + "\n"));
        machine.program("sudo", "echo it must not be called >&2; exit 1");
        assertThat(machine.run("sluice", "simulate").err())
                .isEqualTo("sluice: " + JDK_AND_MAVEN + "sluice: install it with: sudo " + command + "\n");
        machine.user(ROOT);
        assertThat(machine.run("sluice", "simulate").err())
                .isEqualTo("sluice: " + JDK_AND_MAVEN + "sluice: install it with: " + command + "\n");
    }

    @Test
    void sluice_onMacOs_namesThePackagesOfBrew_withoutSudo() throws Exception {
        machine.program("sudo", "exit 1").program("uname", "echo Darwin");

        assertThat(machine.run("sluice", "simulate").err())
                .isEqualTo("sluice: " + JDK_AND_MAVEN + "sluice: install it with: brew install openjdk maven\n");
    }

    @Test
    void sluice_onDebian_asAUser_namesTheCommandAndInstallsNothing() throws Exception {
        machine.apt(List.of(17), "3.8.7").program("sudo", "exit 1");

        assertThat(machine.run("sluice", "simulate"))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice: " + JDK_AND_MAVEN
                                + "sluice: install it with: sudo apt-get install openjdk-17-jdk-headless maven\n"));
        assertThat(machine.calls()).isEmpty();
    }

    @Test
    void sluice_onAnUnknownSystem_namesThePackagesOfAll() throws Exception {
        CommandRun ran = machine.run("sluice", "simulate");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).isEqualTo("sluice: " + JDK_AND_MAVEN + """
                sluice: install it, for example with:
                  Debian, Ubuntu   apt-get install default-jdk-headless maven
                  Fedora, RHEL     dnf install java-21-openjdk-devel maven
                  Alpine           apk add openjdk21-jdk maven
                  Arch             pacman -S jdk21-openjdk maven
                  openSUSE         zypper install java-21-openjdk-devel maven
                  macOS            brew install openjdk maven
                """);
    }

    @Test
    void test_namesWhatItNeeds_andLessWhenQuick() throws Exception {
        machine.apt(List.of(17), "3.8.7");
        String install = "scripts/test: install it, as root, with: apt-get install openjdk-17-jdk-headless maven";

        CommandRun all = machine.run("scripts/test");
        assertThat(all.exitCode()).isEqualTo(2);
        assertThat(all.err())
                .contains("(found: no mvn); nginx; haproxy; caddy; chromium; redis-cli; curl; openssl\n")
                .endsWith(install + " nginx haproxy caddy chromium redis-tools curl openssl\n");
        CommandRun quick = machine.run("scripts/test", "--quick");
        assertThat(quick.exitCode()).isEqualTo(2);
        assertThat(quick.err()).isEqualTo("scripts/test: " + JDK_AND_MAVEN + install + "\n");
    }

    @Test
    void test_asRootOnDebian_installsAndPassesArgumentsToMaven() throws Exception {
        machine.user(ROOT).apt(List.of(17), "3.8.7");

        assertThat(machine.run("scripts/test", "--quick", "-pl", "sluice-core").err())
                .isEqualTo(
                        "scripts/test: " + JDK_AND_MAVEN + "scripts/test: installing openjdk-17-jdk-headless maven\n");
        assertThat(machine.calls().get(2)).startsWith("mvn ").contains(" test ", " -pl sluice-core");
    }

    @Test
    void java_thatIsTooOld_countsAsMissing_andIsNamed() throws Exception {
        machine.javaOnPath("11.0.2", true).maven("3.9.9").program("dnf", "exit 1");

        assertThat(machine.run("sluice", "simulate").err())
                .startsWith("sluice: missing: a JDK 17 or newer (found: BIN/java is Java 11.0.2)\n")
                .endsWith(" dnf install java-21-openjdk-devel\n");
        machine.javaOnPath("1.8.0_292", true);
        assertThat(machine.run("sluice", "simulate").err()).contains("(found: BIN/java is Java 1.8.0_292)");
    }

    @Test
    void java_withoutCompiler_isNotEnoughForTheBuild() throws Exception {
        machine.javaOnPath("17.0.1", false).maven("3.9.9");

        assertThat(machine.run("sluice", "simulate").err())
                .startsWith("sluice: missing: a JDK 17 or newer"
                        + " (found: BIN/java is Java 17.0.1, without the compiler javac)\n");
    }

    @Test
    void java_inAUsualPlace_isUsedForTheBuildAndTheRun() throws Exception {
        Path home = machine.root().resolve("usr/lib/jvm/java-21");
        machine.user(ROOT)
                .apt(List.of(17), "3.8.7")
                .javaOnPath("11.0.2", true)
                .java(home, "21.0.1", true)
                .maven("3.9.9");

        assertThat(machine.run("sluice", "simulate").out()).isEqualTo("java 21.0.1 runs simulate\n");
        assertThat(machine.calls()).hasSize(1);
        assertThat(machine.calls().get(0)).endsWith(" with JAVA_HOME=" + home);
    }

    @Test
    void javaHome_thatIsTooOld_isRefused_andNothingIsInstalled() throws Exception {
        Path home = directory.resolve("home");
        machine.user(ROOT)
                .apt(List.of(17), "3.8.7")
                .javaOnPath("17.0.1", true)
                .maven("3.9.9")
                .variable("JAVA_HOME", home.toString());
        String expected = " (expected: a JDK 17 or newer; set JAVA_HOME to one, or unset it)\n";

        assertThat(machine.run("sluice", "simulate"))
                .isEqualTo(new CommandRun(2, "", "sluice: JAVA_HOME=" + home + ": no java" + expected));
        machine.java(home, "11.0.2", true);
        assertThat(machine.run("scripts/test", "--quick"))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "scripts/test: JAVA_HOME=" + home + ": " + home + "/bin/java is Java 11.0.2" + expected));
        assertThat(machine.calls()).isEmpty();
    }

    @Test
    void javaHome_isUsedBeforeThePath() throws Exception {
        Path home = directory.resolve("home");
        machine.built().javaOnPath("17.0.1", true).java(home, "25.0.1", true).variable("JAVA_HOME", home.toString());

        assertThat(machine.run("sluice", "serve").out()).isEqualTo("java 25.0.1 runs serve\n");
    }

    @Test
    void maven_thatIsTooOld_countsAsMissing() throws Exception {
        machine.javaOnPath("17.0.1", true).maven("3.8.6");

        assertThat(machine.run("sluice", "simulate").err())
                .startsWith("sluice: missing: Maven 3.8.7 or newer (found: BIN/mvn is Maven 3.8.6)\n");
        machine.maven("3.10.0");
        assertThat(machine.run("sluice", "simulate").exitCode()).isZero();
    }

    @Test
    void maven_thatIsTooOldInDebianItself_isReportedAfterTheInstallation() throws Exception {
        machine.user(ROOT).apt(List.of(17), "3.6.3");

        CommandRun ran = machine.run("sluice", "simulate");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("sluice: still missing: Maven 3.8.7 or newer (found: BIN/mvn is Maven 3.6.3)\n")
                .contains("https://maven.apache.org");
    }

    @Test
    void aptGet_thatFails_isShown() throws Exception {
        machine.user(ROOT).apt(List.of(17), "3.8.7").program("apt-get", "echo 'E: no network'; exit 100");

        CommandRun ran = machine.run("sluice", "simulate");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains("E: no network\n")
                .endsWith("sluice: apt-get failed, see above"
                        + " (expected: to install openjdk-17-jdk-headless maven)\n");
    }
}
