package io.sluice.redis.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.StoreListener;
import io.sluice.redis.LogLines;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DegradedLogTest {
    private final ManualTime time = new ManualTime();
    private final List<String> heard = new ArrayList<>();
    private final LogLines lines = new LogLines();
    private final DegradedLog log = new DegradedLog(time, new Events(new StoreListener() {
        @Override
        public void degradedBegan(String reason) {
            heard.add(reason);
        }

        @Override
        public void degradedEnded() {
            heard.add("ended");
        }
    }));

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void change_afterASecondOfQuiet_isLoggedAtOnce() {
        log.began("no answer");
        assertThat(lines.all()).containsExactly("WARNING: degraded, limiters answer without Redis: no answer");
        time.advance(Duration.ofSeconds(1));
        log.ended();
        assertThat(lines.all())
                .hasSize(2)
                .last()
                .isEqualTo("INFO: no longer degraded, Redis decides again; the reason was: no answer");
    }

    @Test
    void change_withinASecond_isLoggedAtItsEnd() {
        log.began("no answer");
        time.advance(Duration.ofMillis(300));
        log.ended();
        time.advance(Duration.ofMillis(699));
        assertThat(lines.all()).hasSize(1);
        time.advance(Duration.ofMillis(1));
        assertThat(lines.all()).hasSize(2).last().asString().startsWith("INFO: no longer degraded");
    }

    @Test
    void manyChanges_lastLineHasTheFinalState() {
        log.began("no answer");
        for (int i = 0; i < 3; i++) {
            log.ended();
            log.began("OOM");
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(lines.all())
                .hasSize(2)
                .last()
                .isEqualTo("WARNING: degraded, limiters answer without Redis: OOM (6 changes within a second)");
        log.ended();
        time.advance(Duration.ofSeconds(1));
        assertThat(lines.all()).hasSize(3).last().asString().startsWith("INFO: no longer degraded");
        time.advance(Duration.ofSeconds(10));
        assertThat(lines.all()).hasSize(3);
    }

    @Test
    void outage_ofLessThanASecond_isLogged() {
        log.began("first");
        log.ended();
        time.advance(Duration.ofSeconds(1));
        log.began("second");
        log.ended();
        time.advance(Duration.ofSeconds(1));
        assertThat(lines.all())
                .hasSize(3)
                .last()
                .isEqualTo("INFO: no longer degraded, Redis decides again; the reason was: second"
                        + " (2 changes within a second)");
    }

    @Test
    void listener_hearsEachChangeOnce() {
        log.began("one");
        log.began("other");
        log.ended();
        log.ended();
        log.began("third");
        assertThat(heard).containsExactly("one", "ended", "third");
    }
}
