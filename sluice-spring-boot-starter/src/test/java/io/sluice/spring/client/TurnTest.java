package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TurnTest {
    private final CompletableFuture<Void> taken = new CompletableFuture<>();
    private int givenBack;
    private final Turn turn = new Turn(taken, () -> givenBack++);

    @Test
    void cancel_whileItWaits_endsTheWait() {
        turn.cancel();
        assertThat(taken).isCancelled();
        assertThat(turn.use()).isFalse();
        assertThat(givenBack).isZero();
    }

    @Test
    void cancel_afterThePermitIsTaken_givesItBackOnce() {
        taken.complete(null);
        turn.cancel();
        turn.cancel();
        assertThat(turn.use()).isFalse();
        assertThat(givenBack).isEqualTo(1);
    }

    @Test
    void cancel_afterUse_keepsThePermit() {
        taken.complete(null);
        assertThat(turn.use()).isTrue();
        turn.cancel();
        assertThat(givenBack).isZero();
    }

    @Test
    void cancel_afterADenial_givesNothingBack() {
        taken.completeExceptionally(new IllegalStateException("denied"));
        turn.cancel();
        assertThat(givenBack).isZero();
    }
}
