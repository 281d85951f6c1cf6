package io.sluice;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sluice.memory.MemoryStore;
import java.util.Random;

@AnalyzeClasses(packages = "io.sluice", importOptions = DoNotIncludeTests.class)
class CoreArchitectureTest {
    @ArchTest
    static final ArchRule core_dependsOnTheJdkOnly =
            classes().should().onlyDependOnClassesThat().resideInAnyPackage("io.sluice..", "java..", "org.jspecify..");

    /** The one way back: {@code RateLimiter.of} makes a memory store, so that a user needs one call only. */
    @ArchTest
    static final ArchRule rooms_doNotNeedEachOtherInTurns = slices().matching("io.sluice.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(RateLimiter.class, MemoryStore.class);

    /** What decides must not be able to round. */
    @ArchTest
    static final ArchRule core_neverRounds = noClasses()
            .should()
            .callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                    com.tngtech.archunit.core.domain.properties.HasReturnType.Predicates.rawReturnType(double.class)));

    @ArchTest
    static final ArchRule core_hasNoLuck =
            noClasses().should().dependOnClassesThat().areAssignableTo(Random.class);

    @ArchTest
    static final ArchRule time_isReadInOnePlace = noClasses()
            .that()
            .doNotHaveSimpleName("SystemTime")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now");
}
