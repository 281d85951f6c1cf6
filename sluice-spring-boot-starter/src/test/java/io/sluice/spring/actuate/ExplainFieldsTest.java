package io.sluice.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExplainFieldsTest {
    @Test
    void windowOfTheCalendar_isShownInTheTimeOfItsZone() {
        String yaml = "version: 1\npolicies:\n  - { name: p, limit: fixed-window 5 per year zone Asia/Kolkata }\n";
        Instant june = Instant.parse("2026-06-15T12:00:00Z");
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(yaml, "test"))
                .time(() -> june.getEpochSecond() * 1_000_000)
                .build()) {
            assertThat(new ExplainFields(engine).of(Map.of(), 1))
                    .extracting("policies", LIST)
                    .singleElement(MAP)
                    .containsEntry(
                            "window", Map.of("begin", "2026-01-01T00:00:00+05:30", "end", "2027-01-01T00:00:00+05:30"));
        }
    }
}
