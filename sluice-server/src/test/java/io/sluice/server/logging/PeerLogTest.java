package io.sluice.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerLogTest {
    private final ManualTime time = new ManualTime();
    private final Lines lines = new Lines("io.sluice.test.peers");
    private final PeerLog log = new PeerLog(System.getLogger("io.sluice.test.peers"), time);

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void kind_isToldAtOnce_andThenOnceAMinute_withACount() {
        log.peer("cut", "cut off by a");
        for (int i = 0; i < 1000; i++) {
            log.peer("cut", "cut off by " + i);
        }
        assertThat(lines.texts()).containsExactly("cut off by a");

        time.advance(Duration.ofMinutes(1));
        log.peer("cut", "cut off by b");
        log.peer("cut", "cut off by c");
        assertThat(lines.texts())
                .containsExactly("cut off by a", "cut off by b (and 1000 more of this kind since it was last told)");

        time.advance(Duration.ofMinutes(1));
        log.peer("cut", "cut off by d");
        assertThat(lines.texts()).last().isEqualTo("cut off by d (and 1 more of this kind since it was last told)");
    }

    @Test
    void kinds_areToldApart() {
        log.peer("cut", "cut off");
        log.peer("garbled", "garbled");

        assertThat(lines.texts()).containsExactly("cut off", "garbled");
    }

    @Test
    void kinds_thatSomebodyMakesUp_areBounded() {
        for (int i = 0; i < 10_000; i++) {
            log.peer("made up " + i, "made up " + i);
        }

        assertThat(lines.texts()).hasSizeBetween(50, 150);
    }

    @Test
    void failure_hasItsStackTrace_onceAMinute() {
        for (int i = 0; i < 100; i++) {
            log.failure("a call failed", new IllegalStateException("here " + i));
        }
        log.failure("a call failed", new IllegalStateException("at another line"));

        assertThat(lines.events).extracting(LogRecord::getLevel).containsExactly(Level.SEVERE, Level.SEVERE);
        assertThat(lines.events)
                .extracting(event -> String.valueOf(event.getThrown().getMessage()))
                .containsExactly("here 0", "at another line");
        time.advance(Duration.ofMinutes(1));
        log.failure("a call failed", new IllegalStateException("at a third"));
        assertThat(lines.events).hasSize(3);
    }
}
