package io.sluice.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
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
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;

/** The libraries of the server, and which of its packages may use which. */
@AnalyzeClasses(packages = "io.sluice.server", importOptions = DoNotIncludeTests.class)
class ServerArchitectureTest {
    /** The root package: configuration, exceptions, and the assembly of the server. */
    private static final String ROOT = "";

    @ArchTest
    static final ArchRule server_dependsOnPoliciesStoresAndVertx = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.sluice",
                    "io.sluice.spi",
                    "io.sluice.memory",
                    "io.sluice.memory.snapshot",
                    "io.sluice.policy",
                    "io.sluice.policy.envoy",
                    "io.sluice.policy.explain",
                    "io.sluice.micrometer",
                    "io.sluice.policy.yaml",
                    "io.sluice.http",
                    "io.sluice.redis",
                    "io.sluice.server..",
                    "java..",
                    "javax.net.ssl",
                    "javax.crypto..",
                    "com.sun.management",
                    "org.jspecify..",
                    "io.vertx.core..",
                    "io.netty..",
                    "io.micrometer..",
                    "com.fasterxml.jackson.core..",
                    "com.google.protobuf..",
                    "org.snakeyaml.engine..");

    @ArchTest
    static final ArchRule protocols_doNotUseTheRedisStore = noClasses()
            .that()
            .resideInAnyPackage("io.sluice.server.http", "io.sluice.server.rls..", "io.sluice.server.resp")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.redis");

    @ArchTest
    static final ArchRule internalsOfVertx_areUsedOnlyInTheirPackage = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.server.vertx")
            .should()
            .dependOnClassesThat(not(resideInAPackage("io.sluice.server.vertx"))
                    .and(resideInAnyPackage("io.vertx..impl..", "io.vertx..internal..", "io.vertx.core.spi.transport..")
                            .or(resideInAPackage("io.netty.bootstrap.."))
                            .or(assignableTo(ChannelHandler.class))
                            .or(assignableTo(ChannelHandlerContext.class))
                            .or(assignableTo(ChannelPipeline.class))
                            .or(assignableTo(ChannelOutboundBuffer.class))
                            .or(assignableTo(Channel.Unsafe.class))))
            .as("only io.sluice.server.vertx may use the internals of Vert.x and the pipelines of Netty");

    @ArchTest
    static final ArchRule decide_usesNoOtherPackage = usesOnly("decide");

    @ArchTest
    static final ArchRule json_usesNoOtherPackage = usesOnly("json");

    @ArchTest
    static final ArchRule logging_usesNoOtherPackage = usesOnly("logging");

    @ArchTest
    static final ArchRule alerts_usesNoOtherPackage = usesOnly("alerts");

    @ArchTest
    static final ArchRule guard_usesTheLog = usesOnly("guard", "logging");

    @ArchTest
    static final ArchRule vertx_usesTheBoundsOfRequests = usesOnly("vertx", "decide");

    @ArchTest
    static final ArchRule http_usesNoOtherProtocol = usesOnly("http", "decide", "json", "logging", "vertx");

    @ArchTest
    static final ArchRule rls_usesNoOtherProtocol = usesOnly("rls", "decide", "logging");

    @ArchTest
    static final ArchRule resp_usesNoOtherProtocol = usesOnly("resp", "decide", "guard", "logging", "vertx");

    @ArchTest
    static final ArchRule ops_addsRoutesToHttp = usesOnly("ops", "http", "logging");

    @ArchTest
    static final ArchRule admin_addsRoutesToHttp =
            usesOnly("admin", "http", "decide", "guard", "json", "logging", "recording", ROOT);

    @ArchTest
    static final ArchRule recording_listensToDecisions = usesOnly("recording", "decide");

    @ArchTest
    static final ArchRule live_addsRoutesToHttp = usesOnly("live", "http");

    @ArchTest
    static final ArchRule dashboard_addsRoutesToHttp = usesOnly("dashboard", "http", "logging");

    @ArchTest
    static final ArchRule simulate_usesTheJsonOfRequests = usesOnly("simulate", "json");

    @ArchTest
    static final ArchRule playground_addsRoutesToHttp =
            usesOnly("playground", "http", "decide", "json", "logging", "simulate..");

    @ArchTest
    static final ArchRule state_throwsTheExceptionsOfTheServer = usesOnly("state", ROOT);

    @ArchTest
    static final ArchRule settings_makeTheConfiguration = usesOnly("settings", ROOT);

    @ArchTest
    static final ArchRule packages_haveNoCycles =
            slices().matching("io.sluice.server.(*)..").should().beFreeOfCycles();

    private static ArchRule usesOnly(String name, String... others) {
        String own = "io.sluice.server." + name + "..";
        DescribedPredicate<JavaClass> allowed = resideInAPackage(own);
        for (String other : others) {
            allowed = allowed.or(resideInAPackage("io.sluice.server" + (other.isEmpty() ? "" : "." + other)));
        }
        return noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAPackage("io.sluice.server..").and(not(allowed)));
    }
}
