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

/*
 * Each client does the same to two servers at the same time: to a hasty one, which closes soon, and to a patient one, which
 * must not have closed by then. So a server that closes too early is found out, and one that closes too late, however fast
 * or slow this machine is.
 */
/** Every byte comes long before the idle timeout, but the whole never does. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SlowClientTest {
    private static final String BODY = "{\"attributes\":{}}";
    private static final String CHECK = Wire.check(BODY);
    private static final String OK = "HTTP/1.1 200 ";
    private static final Duration SOON = Duration.ofMillis(1500);
    private static final int LENGTH = 60_000;

    private static Site hasty;
    private static Site patient;

    @BeforeAll
    static void open() {
        hasty = Site.open(Site.THREE_EACH, config -> config.idleTimeout(SOON));
        patient = Site.open(Site.THREE_EACH, config -> config.idleTimeout(Duration.ofMinutes(2)));
    }

    @AfterAll
    static void close() {
        hasty.close();
        patient.close();
    }

    /** The same client at both servers. */
    private static final class Both implements AutoCloseable {
        final Wire closing = hasty.wire();
        final Wire staying = patient.wire();
        private long begun = System.nanoTime();

        Both send(String text) {
            begun = System.nanoTime();
            closing.send(text);
            staying.send(text);
            return this;
        }

        void assertAnswered() {
            assertThat(closing.answer()).startsWith(OK);
            assertThat(staying.answer()).startsWith(OK);
        }

        /**
         * Sends a bit now and then until the hasty server takes it no more.
         *
         * @return how many bits
         */
        int dribbleUntilClosed(String forEver) {
            byte[] bit = forEver.getBytes(StandardCharsets.ISO_8859_1);
            int bits = 0;
            do {
                assertThat(staying.tries(bit)).isTrue();
                bits++;
                // The pace of the client, which nothing waits for.
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            } while (closing.tries(bit));
            assertNotClosedAtOnce();
            return bits;
        }

        /** The server counts looks, of which some come at once after a pause of the machine: so this is half of it. */
        void assertNotClosedAtOnce() {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(SOON.dividedBy(2));
        }

        /** What came slowly comes to its end after all. */
        void assertStillOpen(String end, String answer) {
            assertThat(staying.send(end).answer()).startsWith(answer);
        }

        @Override
        public void close() {
            closing.close();
            staying.close();
        }
    }

    private static final String END_OF_HEAD = "\r\nHost: x\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    @Test
    void head_thatNeverEnds_isClosed() {
        try (Both both = new Both()) {
            both.send("POST /v1/check HTTP/1.1\r\nX: ");

            both.dribbleUntilClosed("x");

            both.assertStillOpen(END_OF_HEAD, OK);
        }
    }

    @Test
    void head_thatNeverEnds_afterARequest_isClosed() {
        try (Both both = new Both()) {
            both.send(CHECK).assertAnswered();
            both.send("POST /v1/check HTTP/1.1\r\nX: ");

            both.dribbleUntilClosed("x");

            both.assertStillOpen(END_OF_HEAD, OK);
        }
    }

    @Test
    void body_thatNeverEnds_isClosed() {
        try (Both both = new Both()) {
            both.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: " + LENGTH + "\r\n\r\n");

            int sent = both.dribbleUntilClosed("x");

            both.assertStillOpen("x".repeat(LENGTH - sent), "HTTP/1.1 400 ");
        }
    }

    @Test
    void chunks_thatNeverEnd_areClosed() {
        try (Both both = new Both()) {
            both.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");

            both.dribbleUntilClosed("1\r\nx\r\n");

            both.assertStillOpen("0\r\n\r\n", "HTTP/1.1 400 ");
        }
    }

    @Test
    void body_thatNobodyReads_isClosed() {
        try (Both both = new Both()) {
            both.send("POST /v1/auth HTTP/1.1\r\nHost: x\r\nContent-Length: " + LENGTH + "\r\n\r\n")
                    .assertAnswered();

            int sent = both.dribbleUntilClosed("x");

            both.assertStillOpen("x".repeat(LENGTH - sent) + CHECK, OK);
        }
    }

    @Test
    void connection_thatSaysNothing_isClosed() {
        try (Both both = new Both()) {
            assertThat(both.closing.rest()).isEmpty();

            both.assertNotClosedAtOnce();
            both.assertStillOpen(CHECK, OK);
        }
    }

    @Test
    void connection_thatGoesOnAsking_staysOpen() {
        // No pause of this machine is as long as its patience; that the requests are many is what matters.
        try (Wire wire = patient.wire()) {
            for (int i = 0; i < 5000; i++) {
                assertThat(wire.send(CHECK).answer()).startsWith(OK);
            }
        }
    }
}
