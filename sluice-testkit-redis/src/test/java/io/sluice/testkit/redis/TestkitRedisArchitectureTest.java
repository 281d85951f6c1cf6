package io.sluice.testkit.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.testkit.redis", importOptions = DoNotIncludeTests.class)
class TestkitRedisArchitectureTest {
    @ArchTest
    static final ArchRule testkitForRedis_dependsOnTheJdkOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.sluice.testkit.redis", "java..", "org.jspecify..");
}
