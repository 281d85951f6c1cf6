package io.sluice.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class StarterArchitectureTest {
    /** Types of libraries that an application may not have. */
    private static final String[] OPTIONAL = {
        "io.lettuce..",
        "io.micrometer.core..",
        "io.sluice.redis..",
        "jakarta.servlet..",
        "org.springframework.cloud..",
        "org.springframework.data..",
        "org.springframework.security..",
        "org.springframework.web..",
        "reactor.."
    };

    @ArchTest
    static final ArchRule rootAndSharedRoom_needNoOptionalLibrary = noClasses()
            .that()
            .resideInAPackage("io.sluice.spring")
            .or()
            .haveFullyQualifiedName("io.sluice.spring.autoconfigure.SluiceAutoConfiguration")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(OPTIONAL);

    @ArchTest
    static final ArchRule jackson_isNotUsed =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("com.fasterxml..", "tools.jackson..");

    @ArchTest
    static final ArchRule movedTypes_areTouchedByTheirOwnConfigurations = noClasses()
            .that()
            .haveSimpleNameNotContaining("Boot3")
            .and()
            .haveSimpleNameNotContaining("Boot4")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework.boot.actuate.health..",
                    "org.springframework.boot.health..",
                    "org.springframework.boot.web.client..",
                    "org.springframework.boot.restclient..");

    @ArchTest
    static final ArchRule servletAndWebFlux_areApart = noClasses()
            .that()
            .resideInAPackage("io.sluice.spring.servlet..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sluice.spring.webflux..", "io.sluice.spring.gateway..", "reactor..");

    @ArchTest
    static final ArchRule spring_isUsedByNobodyBelow = classes()
            .that()
            .resideInAPackage("io.sluice.spring..")
            .should()
            .onlyBeAccessed()
            .byAnyPackage("io.sluice.spring..");
}
