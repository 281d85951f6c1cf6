package io.sluice.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
        packages = {"io.sluice.policy", "io.sluice.http"},
        importOptions = DoNotIncludeTests.class)
class PolicyArchitectureTest {
    @ArchTest
    static final ArchRule policy_dependsOnTheCoreYamlRegexAndMetersOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice",
                    "io.sluice.spi",
                    "io.sluice.memory",
                    "io.sluice.policy",
                    "io.sluice.http",
                    "java..",
                    "org.jspecify..",
                    "org.snakeyaml.engine..",
                    "com.google.re2j..",
                    "io.micrometer..");

    @ArchTest
    static final ArchRule policy_knowsNothingOfHttp = noClasses()
            .that()
            .resideInAPackage("io.sluice.policy")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.http");
}
