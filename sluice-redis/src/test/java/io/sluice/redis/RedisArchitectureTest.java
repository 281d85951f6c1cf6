package io.sluice.redis;

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

@AnalyzeClasses(packages = "io.sluice.redis", importOptions = DoNotIncludeTests.class)
class RedisArchitectureTest {
    @ArchTest
    static final ArchRule redis_dependsOnTheCoreLettuceAndTheBreakerOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice",
                    "io.sluice.spi",
                    "io.sluice.memory",
                    "io.sluice.exact",
                    "io.sluice.redis..",
                    "java..",
                    "org.jspecify..",
                    "io.lettuce..",
                    "dev.failsafe..");

    @ArchTest
    static final ArchRule script_entersNoOtherPackage = entersOnly("script");

    @ArchTest
    static final ArchRule connect_entersScriptOnly = entersOnly("connect", "script");

    @ArchTest
    static final ArchRule limits_entersConnectAndScriptOnly = entersOnly("limits", "connect", "script");

    @ArchTest
    static final ArchRule local_entersLimitsAndScriptOnly = entersOnly("local", "limits", "script");

    @ArchTest
    static final ArchRule call_doesNotEnterTheStore = entersOnly("call", "local", "limits", "connect", "script");

    @ArchTest
    static final ArchRule packages_haveNoCycles =
            slices().matching("io.sluice.redis.(*)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule lettuce_isSeenByTheConnectionAndItsUsersOnly = noClasses()
            .that()
            .resideInAnyPackage("io.sluice.redis.script", "io.sluice.redis.local")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.lettuce..");

    private static ArchRule entersOnly(String own, String... others) {
        DescribedPredicate<JavaClass> allowed = resideInAPackage("io.sluice.redis." + own);
        for (String other : others) {
            allowed = allowed.or(resideInAPackage("io.sluice.redis." + other));
        }
        return noClasses()
                .that()
                .resideInAPackage("io.sluice.redis." + own)
                .should()
                .dependOnClassesThat(resideInAPackage("io.sluice.redis..").and(not(allowed)));
    }
}
