package io.sluice.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.cli", importOptions = DoNotIncludeTests.class)
class CliArchitectureTest {
    @ArchTest
    static final ArchRule cli_dependsOnSluiceAndPicocliOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.sluice..", "java..", "picocli..", "org.jspecify..");
}
