package io.sluice.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.testkit", importOptions = DoNotIncludeTests.class)
class TestkitArchitectureTest {
    @ArchTest
    static final ArchRule testkit_dependsOnTheCoreAndTestLibrariesOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice",
                    "io.sluice.spi",
                    "io.sluice.memory",
                    "io.sluice.testkit..",
                    "java..",
                    "org.jspecify..",
                    "org.junit..",
                    "org.assertj..");

    @ArchTest
    static final ArchRule usage_usesNothingOfTheTestkit = noClasses()
            .that()
            .resideInAPackage("io.sluice.testkit.usage")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.testkit");
}
