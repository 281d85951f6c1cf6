package io.sluice.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.cli", importOptions = DoNotIncludeTests.class)
class CliArchitectureTest {
    @ArchTest
    static final ArchRule cli_dependsOnSluicePicocliLettuceAndJacksonOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice..", "io.lettuce..", "java..", "picocli..", "org.jspecify..", "com.fasterxml.jackson..");

    /** Its classes are many and slow to load: who does not ask for Redis does not pay for it. */
    @ArchTest
    static final ArchRule redis_isOnlyKnownToItsOwnClasses = noClasses()
            .that()
            .haveNameNotMatching("io\\.sluice\\.cli\\.Redis.*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sluice.redis..", "io.lettuce..", "java.util.logging..");
}
