package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Site;
import io.sluice.server.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every byte comes long before the idle timeout, but the whole never does. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SlowClientTest {
    private static final String CHECK = Wire.check("{\"attributes\":{}}");

    private static Site site;

    @BeforeAll
    static void open() {
        site = Site.open(Site.THREE_EACH, config -> config.idleTimeout(Duration.ofMillis(1500)));
    }

    @AfterAll
    static void close() {
        site.close();
    }

    /** Sends a byte now and then until nobody takes it any more. */
    private static void dribble(Wire wire, String forEver) {
        byte[] one = forEver.getBytes(StandardCharsets.ISO_8859_1);
        while (wire.tries(one)) {
            // The pace of the client, which nothing waits for.
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    @Test
    void head_thatNeverEnds_isClosed() {
        try (Wire wire = site.wire()) {
            wire.send("POST /v1/check HTTP/1.1\r\nX: ");

            dribble(wire, "x");
        }
    }

    @Test
    void head_thatNeverEnds_afterARequest_isClosed() {
        try (Wire wire = site.wire()) {
            assertThat(wire.send(CHECK).answer()).startsWith("HTTP/1.1 200 ");
            wire.send("POST /v1/check HTTP/1.1\r\nX: ");

            dribble(wire, "x");
        }
    }

    @Test
    void body_thatNeverEnds_isClosed() {
        try (Wire wire = site.wire()) {
            wire.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");

            dribble(wire, "x");
        }
    }

    @Test
    void chunks_thatNeverEnd_areClosed() {
        try (Wire wire = site.wire()) {
            wire.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");

            dribble(wire, "1\r\nx\r\n");
        }
    }

    @Test
    void body_thatNobodyReads_isClosed() {
        try (Wire wire = site.wire()) {
            wire.send("POST /v1/auth HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
            assertThat(wire.answer()).startsWith("HTTP/1.1 200 ");

            dribble(wire, "x");
        }
    }

    @Test
    void connection_thatSaysNothing_isClosed() {
        try (Wire wire = site.wire()) {
            assertThat(wire.rest()).isEmpty();
        }
    }

    @Test
    void connection_thatGoesOnAsking_staysOpen() {
        // No pause of this machine is as long; that the requests are many is what matters.
        try (Site patient = Site.open(Site.THREE_EACH, config -> config.idleTimeout(Duration.ofMinutes(2)));
                Wire wire = patient.wire()) {
            for (int i = 0; i < 5000; i++) {
                assertThat(wire.send(CHECK).answer()).startsWith("HTTP/1.1 200 ");
            }
        }
    }
}
