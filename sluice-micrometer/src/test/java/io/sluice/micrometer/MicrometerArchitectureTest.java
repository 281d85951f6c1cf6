package io.sluice.micrometer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.micrometer", importOptions = DoNotIncludeTests.class)
class MicrometerArchitectureTest {
    @ArchTest
    static final ArchRule metrics_dependOnTheCorePoliciesAndMicrometerOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice",
                    "io.sluice.memory",
                    "io.sluice.policy",
                    "io.sluice.micrometer",
                    "io.micrometer.core.instrument..",
                    "java..",
                    "org.jspecify..");

    /** The policies are optional: programs that have only limiters do not load these classes. */
    @ArchTest
    static final ArchRule metricsOfLimitersAndStores_doNotUsePolicies = noClasses()
            .that()
            .haveSimpleNameStartingWith("Limiter")
            .or()
            .haveSimpleNameContaining("Store")
            .or()
            .haveSimpleName("MultiRegistryTimer")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.policy..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("io\\.sluice\\.micrometer\\.(Policy|LimitIndex|LimitSeries).*");
}
