package io.sluice;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasReturnType.Predicates.rawReturnType;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.sluice.memory.MemoryStore;
import java.util.Random;

@AnalyzeClasses(packages = "io.sluice", importOptions = DoNotIncludeTests.class)
class CoreArchitectureTest {
    /** Each package is a room, {@code io.sluice} too. A pattern such as {@code io.sluice.(**)} would leave that one out. */
    private static final SliceAssignment ROOMS = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    @ArchTest
    static final ArchRule core_dependsOnTheJdkOnly =
            classes().should().onlyDependOnClassesThat().resideInAnyPackage("io.sluice..", "java..", "org.jspecify..");

    /** One dependency is allowed to go up: {@code RateLimiter.of} creates a memory store, so that a user needs one call. */
    @ArchTest
    static final ArchRule packages_haveNoCycles = slices().assignedFrom(ROOMS)
            .should()
            .beFreeOfCycles()
            .ignoreDependency(RateLimiter.class, MemoryStore.class);

    @ArchTest
    static final ArchRule exact_usesNoOtherPackage = usesOnly("io.sluice.exact");

    @ArchTest
    static final ArchRule api_usesExactOnly =
            usesOnly("io.sluice", "io.sluice.exact").as("RateLimiter.of aside, io.sluice uses io.sluice.exact only");

    @ArchTest
    static final ArchRule spi_usesTheApi = usesOnly("io.sluice.spi", "io.sluice", "io.sluice.exact");

    @ArchTest
    static final ArchRule state_usesTheApi =
            usesOnly("io.sluice.memory.state", "io.sluice.adapt", "io.sluice", "io.sluice.exact");

    @ArchTest
    static final ArchRule keys_useState =
            usesOnly("io.sluice.memory.keys", "io.sluice.memory.state", "io.sluice", "io.sluice.exact");

    @ArchTest
    static final ArchRule snapshot_usesKeysAndState = usesOnly(
            "io.sluice.memory.snapshot",
            "io.sluice.memory.keys",
            "io.sluice.memory.state",
            "io.sluice.spi",
            "io.sluice",
            "io.sluice.exact");

    @ArchTest
    static final ArchRule stateAndKeys_areUsedByTheMemoryStoreOnly = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.memory..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.sluice.memory.state", "io.sluice.memory.keys");

    /** A decision must not be able to round. What is measured may: the signals of {@code adapt} are doubles, its factors are not. */
    @ArchTest
    static final ArchRule core_neverRounds = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.adapt")
            .should()
            .callMethodWhere(target(rawReturnType(double.class)));

    @ArchTest
    static final ArchRule adapt_usesTheApi = usesOnly("io.sluice.adapt", "io.sluice", "io.sluice.exact");

    @ArchTest
    static final ArchRule core_usesNoRandomNumbers =
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

    /** Classes of a package use classes of that package and of some others, but of no other package of Sluice. */
    private static ArchRule usesOnly(String room, String... others) {
        DescribedPredicate<JavaClass> ofOtherRooms = DescribedPredicate.not(resideInAnyPackage(room))
                .and(DescribedPredicate.not(resideInAnyPackage(others)))
                .and(resideInAnyPackage("io.sluice.."))
                .as("reside in another package of Sluice");
        return noClasses()
                .that()
                .resideInAPackage(room)
                .and()
                .doNotBelongToAnyOf(RateLimiter.class)
                .should()
                .dependOnClassesThat(ofOtherRooms);
    }
}
