package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.mock.env.MockEnvironment;

@ExtendWith(OutputCaptureExtension.class)
class ForwardedAddressTest {
    private static void start(boolean nativeIsReliable, String key, String... properties) {
        MockEnvironment environment = new MockEnvironment();
        TestPropertyValues.of(properties).applyTo(environment);
        try (MemoryStore store = MemoryStore.builder().build();
                PolicyEngine engine = PolicyEngine.builder()
                        .store(store)
                        .policies(Policies.parse(
                                "version: 1\npolicies:\n- {name: a, key: [" + key + "], limit: 1/s}\n", "test"))
                        .build()) {
            ForwardedAddress.warnIfChosenByClients(environment, engine, nativeIsReliable);
        }
    }

    @Test
    void strategy_thatBelievesTheClient_isAWarning(CapturedOutput output) {
        start(true, "ip", "server.forward-headers-strategy=FRAMEWORK");
        assertThat(output).contains("server.forward-headers-strategy: framework takes the address");
        start(false, "ip/64", "server.forward-headers-strategy=native");
        assertThat(output).contains("server.forward-headers-strategy: native takes the address");
    }

    @Test
    void platform_whoseProxiesAreBelieved_isAWarning(CapturedOutput output) {
        start(false, "ip", "spring.main.cloud-platform=kubernetes");
        assertThat(output).contains("server.forward-headers-strategy: native takes the address");
    }

    @Test
    void addressThatIsReliableOrNotUsed_isNoWarning(CapturedOutput output) {
        start(false, "ip");
        start(false, "ip", "server.forward-headers-strategy=none", "spring.main.cloud-platform=kubernetes");
        start(true, "ip", "spring.main.cloud-platform=kubernetes");
        start(true, "user", "server.forward-headers-strategy=framework");
        assertThat(output).doesNotContain("forward-headers-strategy");
    }
}
