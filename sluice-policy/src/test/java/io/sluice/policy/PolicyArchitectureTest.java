package io.sluice.policy;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;

/*
 * Each package may use those below it:
 *
 *     io.sluice.http      headers and client addresses; uses io.sluice.policy only
 *     io.sluice.policy    the doors: PolicyEngine, PolicyView, Policies
 *       engine            decides requests, replaces policies
 *       alert             fires alerts
 *       reader            reads policy files
 *       envoy             reads envoyproxy/ratelimit files
 *       lint              warns of suspicious policies
 *       watch             watches files
 *       yaml              reads YAML
 *       match, top, metrics, explain
 *     io.sluice.policy    all other classes: the values that users hold
 *
 * Users need one import for values and engine. So io.sluice.policy is at the top and at the bottom, and the test names
 * its doors.
 */
@AnalyzeClasses(
        packages = {"io.sluice.policy", "io.sluice.http"},
        importOptions = DoNotIncludeTests.class)
class PolicyArchitectureTest {
    private static final DescribedPredicate<JavaClass> DOORS =
            belongToAnyOf(PolicyEngine.class, PolicyView.class, Policies.class).as("doors");

    @ArchTest
    static final ArchRule policy_dependsOnTheCoreYamlAndRegexOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice",
                    "io.sluice.adapt",
                    "io.sluice.exact",
                    "io.sluice.spi",
                    "io.sluice.memory",
                    "io.sluice.policy..",
                    "io.sluice.http",
                    "java..",
                    "org.jspecify..",
                    "org.snakeyaml.engine..",
                    "com.google.re2j..");

    @ArchTest
    static final ArchRule policy_doesNotUseHttp = noClasses()
            .that()
            .resideInAPackage("io.sluice.policy..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.http");

    @ArchTest
    static final ArchRule http_usesOnlyWhatUsersCall = noClasses()
            .that()
            .resideInAPackage("io.sluice.http")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.policy.*..");

    @ArchTest
    static final ArchRule values_useNoInnerPackage = noClasses()
            .that()
            .resideInAPackage("io.sluice.policy")
            .and(not(DOORS))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.policy.*..");

    @ArchTest
    static final ArchRule innerPackages_haveNoCycles =
            slices().matching("io.sluice.policy.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule engine_usesOnly = usesOnly("engine", "envoy", "explain", "match", "metrics", "top", "watch");

    @ArchTest
    static final ArchRule alert_usesOnly = usesOnly("alert", "metrics");

    @ArchTest
    static final ArchRule reader_usesOnly = usesOnly("reader", "lint", "yaml");

    @ArchTest
    static final ArchRule envoy_usesOnly = usesOnly("envoy", "match", "watch", "yaml");

    @ArchTest
    static final ArchRule lint_usesOnly = usesOnly("lint", "match", "yaml");

    @ArchTest
    static final ArchRule watch_usesOnly = usesOnly("watch", "yaml");

    @ArchTest
    static final ArchRule yaml_usesNoOtherPackage = usesOnly("yaml");

    @ArchTest
    static final ArchRule match_usesNoOtherPackage = usesOnly("match");

    @ArchTest
    static final ArchRule top_usesNoOtherPackage = usesOnly("top");

    @ArchTest
    static final ArchRule metrics_usesNoOtherPackage = usesOnly("metrics");

    @ArchTest
    static final ArchRule explain_usesNoOtherPackage = usesOnly("explain");

    /** Inner packages may also use the values of {@code io.sluice.policy}, and {@code Policies} as a value. */
    private static ArchRule usesOnly(String inner, String... others) {
        String own = "io.sluice.policy." + inner;
        String[] allowed =
                Arrays.stream(others).map(other -> "io.sluice.policy." + other).toArray(String[]::new);
        DescribedPredicate<JavaClass> values =
                resideInAPackage("io.sluice.policy").and(not(belongToAnyOf(PolicyEngine.class, PolicyView.class)));
        return noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAPackage("io.sluice.policy..")
                        .and(not(resideInAPackage(own)
                                .or(resideInAnyPackage(allowed))
                                .or(values))));
    }
}
