package io.sluice.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.server", importOptions = DoNotIncludeTests.class)
class ServerArchitectureTest {
    @ArchTest
    static final ArchRule server_dependsOnPoliciesStoresAndVertx = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice",
                    "io.sluice.spi",
                    "io.sluice.memory",
                    "io.sluice.policy",
                    "io.sluice.policy.envoy",
                    "io.sluice.policy.explain",
                    "io.sluice.policy.metrics",
                    "io.sluice.http",
                    "io.sluice.redis",
                    "io.sluice.server..",
                    "java..",
                    "javax.net.ssl",
                    "com.sun.management",
                    "org.jspecify..",
                    "io.vertx.core..",
                    "io.netty..",
                    "io.micrometer..",
                    "com.fasterxml.jackson.core..",
                    "com.google.protobuf..",
                    "org.snakeyaml.engine..");

    @ArchTest
    static final ArchRule protocols_knowNothingOfTheStore = noClasses()
            .that()
            .resideInAnyPackage("io.sluice.server.http", "io.sluice.server.rls..", "io.sluice.server.resp")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.redis");

    @ArchTest
    static final ArchRule http_knowsNothingOfTheOtherProtocols = knowsOnly("http", "decide", "json", "logging");

    @ArchTest
    static final ArchRule rls_knowsNothingOfTheOtherProtocols = knowsOnly("rls", "decide", "logging");

    @ArchTest
    static final ArchRule resp_knowsNothingOfTheOtherProtocols = knowsOnly("resp", "decide", "guard", "logging");

    @ArchTest
    static final ArchRule packages_doNotNeedEachOtherInTurns =
            slices().matching("io.sluice.server.(*)..").should().beFreeOfCycles();

    private static ArchRule knowsOnly(String protocol, String... others) {
        String own = "io.sluice.server." + protocol + "..";
        DescribedPredicate<JavaClass> may = resideInAPackage(own);
        for (String other : others) {
            may = may.or(resideInAPackage("io.sluice.server." + other));
        }
        return noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAPackage("io.sluice.server..").and(not(may)));
    }
}
