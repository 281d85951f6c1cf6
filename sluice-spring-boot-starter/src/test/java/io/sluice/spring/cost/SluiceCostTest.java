package io.sluice.spring.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sluice.spring.RequestCost;
import io.sluice.spring.Sluice;
import io.sluice.spring.SluiceSettingsException;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

class SluiceCostTest {
    private static final AutoConfigurations CONFIGURATIONS =
            AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceCostAutoConfiguration.class);

    private final WebApplicationContextRunner servlet =
            new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS);
    private final ReactiveWebApplicationContextRunner reactive =
            new ReactiveWebApplicationContextRunner().withConfiguration(CONFIGURATIONS);

    private final List<Long> charged = new ArrayList<>();
    private final GrowingCost cost = new GrowingCost(charged::add);

    @Test
    void cost_isChargedOnceAsASum_andAfterTheEndAtOnce() {
        cost.add(3);
        cost.add(4);
        assertThat(charged).isEmpty();
        cost.end();
        cost.end();
        assertThat(charged).containsExactly(7L);
        cost.add(2);
        assertThat(charged).containsExactly(7L, 2L);
        assertThat(cost.total()).isEqualTo(9);
    }

    @Test
    void cost_ofNothing_chargesNothing() {
        cost.end();
        assertThat(charged).isEmpty();
    }

    @Test
    void cost_negative_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> cost.add(-1)).withMessageContaining("permits: -1");
    }

    @Test
    void policy_unknown_isRefusedAtTheStart() {
        servlet.withPropertyValues("sluice.web.costs=tokens")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("sluice.web.costs")
                        .hasMessageContaining("\"tokens\""));
    }

    @Test
    void threadWithoutARequest_isTold() {
        servlet.run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Sluice.class).charge(1))
                .withMessageContaining("answers no HTTP request"));
    }

    @Test
    void disabled_beansAreThereAndChargeNothing() {
        servlet.withPropertyValues("sluice.enabled=false").run(context -> {
            Sluice sluice = context.getBean(Sluice.class);
            assertThat(sluice.charge(5).allowed()).isTrue();
            assertThat(sluice.chargeAsync(5)).isCompleted();
            RequestCost none = sluice.cost();
            none.add(5);
            assertThat(none.total()).isEqualTo(5);
            assertThat(sluice.reserve(5).total()).isZero();
        });
        reactive.withPropertyValues("sluice.enabled=false").run(context -> {
            ReactiveSluice sluice = context.getBean(ReactiveSluice.class);
            assertThat(Objects.requireNonNull(sluice.charge(5).block()).allowed())
                    .isTrue();
            assertThat(sluice.cost().block()).isNotNull();
            assertThat(sluice.reserve(5).block()).isNotNull();
        });
    }
}
