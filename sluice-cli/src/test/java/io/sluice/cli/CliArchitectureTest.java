package io.sluice.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;

@AnalyzeClasses(packages = "io.sluice.cli", importOptions = DoNotIncludeTests.class)
class CliArchitectureTest {
    private static final String CLI = "io.sluice.cli.";

    @ArchTest
    static final ArchRule cli_dependsOnSluicePicocliLettuceAndJacksonOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice..",
                    "io.lettuce..",
                    "java..",
                    "javax.imageio..",
                    "javax.xml..",
                    "org.w3c.dom..",
                    "org.xml.sax..",
                    "picocli..",
                    "org.jspecify..",
                    "com.fasterxml.jackson..");

    /** The Redis classes are many and slow to load. A command that does not use Redis must not load them. */
    @ArchTest
    static final ArchRule redisStore_isUsedByOnePackageOnly = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.cli.simulate.redis")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sluice.redis..", "io.lettuce..", "java.util.logging..");

    @ArchTest
    static final ArchRule console_usesNoOtherPackage = usesOnly("console");

    @ArchTest
    static final ArchRule serve_usesTheConsoleOnly = usesOnly("serve", "console");

    @ArchTest
    static final ArchRule validate_usesTheConsoleOnly = usesOnly("validate", "console");

    @ArchTest
    static final ArchRule explain_usesTheConsoleOnly = usesOnly("explain", "console");

    @ArchTest
    static final ArchRule image_usesTheConsoleOnly = usesOnly("image", "console");

    @ArchTest
    static final ArchRule simulate_usesTheConsoleAndItsOwnPackages =
            usesOnly("simulate", "console", "simulate.redis", "simulate.report", "simulate.plot");

    @ArchTest
    static final ArchRule redis_usesTheConsoleOnly = usesOnly("simulate.redis", "console");

    @ArchTest
    static final ArchRule plot_usesTheConsoleOnly = usesOnly("simulate.plot", "console");

    @ArchTest
    static final ArchRule report_usesTheConsoleOnly = usesOnly("simulate.report", "console");

    /** The image has no java.desktop, which only a plot as PNG needs. */
    @ArchTest
    static final ArchRule graphics_areUsedByOneClassOnly = noClasses()
            .that()
            .haveNameNotMatching(".*\\.PngImage")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.awt..", "javax.imageio..", "javax.xml..");

    @ArchTest
    static final ArchRule packages_haveNoCycles =
            slices().matching("io.sluice.(**)").should().beFreeOfCycles();

    private static ArchRule usesOnly(String room, String... others) {
        String[] allowed = Arrays.stream(others).map(other -> CLI + other).toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(CLI + room)
                .should()
                .dependOnClassesThat(resideInAPackage("io.sluice.cli..")
                        .and(not(resideInAPackage(CLI + room).or(resideInAnyPackage(allowed)))));
    }
}
