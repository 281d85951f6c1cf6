/** Requires everything that is published. */
module com.example.modular {
    requires io.sluice;
    requires io.sluice.redis;
    requires io.sluice.policy;
    requires io.sluice.micrometer;
    requires io.sluice.spring;
    requires io.sluice.server;
    requires io.sluice.cli;
    requires io.sluice.testkit;
    requires io.sluice.testkit.redis;
}
