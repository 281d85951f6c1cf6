package io.sluice.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

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
                    "io.sluice.redis",
                    "java..",
                    "org.jspecify..",
                    "io.lettuce..",
                    "dev.failsafe..");
}
