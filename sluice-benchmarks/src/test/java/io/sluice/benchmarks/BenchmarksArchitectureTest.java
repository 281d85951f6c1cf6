package io.sluice.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.sluice.benchmarks", importOptions = DoNotIncludeTests.class)
class BenchmarksArchitectureTest {
    @ArchTest
    static final ArchRule common_usesNoBenchmark =
            usesNone("common", "adaptive", "local", "load", "redis", "server", "spring");

    @ArchTest
    static final ArchRule local_usesNoOtherBenchmark =
            usesNone("local", "adaptive", "load", "redis", "server", "spring");

    @ArchTest
    static final ArchRule load_usesNoBenchmark = usesNone("load", "adaptive", "local", "redis", "server", "spring");

    @ArchTest
    static final ArchRule redis_usesNoOtherBenchmark = usesNone("redis", "adaptive", "local", "server", "spring");

    @ArchTest
    static final ArchRule server_usesNoOtherBenchmark = usesNone("server", "adaptive", "local", "redis", "spring");

    @ArchTest
    static final ArchRule spring_usesNoOtherBenchmark = usesNone("spring", "adaptive", "local", "redis", "server");

    @ArchTest
    static final ArchRule adaptive_usesNoOtherBenchmark =
            usesNone("adaptive", "local", "load", "redis", "server", "spring");

    @ArchTest
    static final ArchRule packages_haveNoCycles =
            slices().matching("io.sluice.(**)").should().beFreeOfCycles();

    private static ArchRule usesNone(String room, String... others) {
        String[] packages = new String[others.length];
        for (int i = 0; i < others.length; i++) {
            packages[i] = "io.sluice.benchmarks." + others[i] + "..";
        }
        return noClasses()
                .that()
                .resideInAPackage("io.sluice.benchmarks." + room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }
}
