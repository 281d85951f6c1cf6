package io.sluice.redis;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sluice.TimeSource;
import java.time.Duration;
import java.util.Calendar;
import java.util.Date;

/** Tests that this module never reads the wall clock: Redis decides by its own time. */
@AnalyzeClasses(packages = "io.sluice.redis", importOptions = DoNotIncludeTests.class)
class ClientClockTest {
    @ArchTest
    static final ArchRule clockOfTheClient_isNeverRead = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(TimeSource.class, "wallMicros")
            .orShould()
            .dependOnClassesThat(resideInAPackage("java.time").and(not(equivalentTo(Duration.class))))
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Date.class, Calendar.class);
}
