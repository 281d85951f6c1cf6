package io.sluice.spring.actuate;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Import;

/**
 * The health contribution {@code sluice}. It is {@code UP}, or {@code DEGRADED} while Redis is away: this leaves the health of
 * the application as it is. {@code management.health.sluice.enabled=false} switches it off.
 */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnSingleCandidate(PolicyEngine.class)
@Import({Boot3Health.class, Boot4Health.class})
public class SluiceHealthAutoConfiguration {}
