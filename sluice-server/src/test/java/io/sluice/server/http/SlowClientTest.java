package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.RawConnection;
import io.sluice.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/*
 * Each client does the same on two servers at the same time: one with a short timeout, which closes soon, and one with a long
 * timeout, which must not have closed by then. So the test finds a server that closes too early and one that closes too late,
 * however fast or slow this machine is.
 */
/** Every byte comes long before the idle timeout, but the request never becomes complete. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("slow")
class SlowClientTest {
    private static final String BODY = "{\"attributes\":{}}";
    private static final String CHECK = RawConnection.check(BODY);
    private static final String OK = "HTTP/1.1 200 ";
    private static final Duration SOON = Duration.ofMillis(1500);
    private static final int LENGTH = 60_000;

    private static TestServer hasty;
    private static TestServer patient;

    @BeforeAll
    static void open() {
        hasty = TestServer.open(TestServer.THREE_EACH, config -> config.idleTimeout(SOON));
        patient = TestServer.open(TestServer.THREE_EACH, config -> config.idleTimeout(Duration.ofMinutes(2)));
    }

    @AfterAll
    static void close() {
        hasty.close();
        patient.close();
    }

    /** The same client on both servers. */
    private static final class Both implements AutoCloseable {
        final RawConnection closing = hasty.wire();
        final RawConnection staying = patient.wire();
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
         * Sends some bytes now and then until the server with the short timeout closes.
         *
         * @return how many bits
         */
        int dribbleUntilClosed(String forEver) {
            byte[] bit = forEver.getBytes(StandardCharsets.ISO_8859_1);
            int bits = 0;
            do {
                assertThat(staying.tries(bit)).isTrue();
                bits++;
                // The pace of the client. The test does not wait for it.
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            } while (closing.tries(bit));
            assertNotClosedAtOnce();
            return bits;
        }

        /** Half of the timeout: the server counts ticks, and after a pause of the machine several come at once. */
        void assertNotClosedAtOnce() {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(SOON.dividedBy(2));
        }

        /** Completes the slow request. */
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
    void incompleteHeader_closesTheConnection() {
        try (Both both = new Both()) {
            both.send("POST /v1/check HTTP/1.1\r\nX: ");

            both.dribbleUntilClosed("x");

            both.assertStillOpen(END_OF_HEAD, OK);
        }
    }

    @Test
    void incompleteHeader_afterARequest_closesTheConnection() {
        try (Both both = new Both()) {
            both.send(CHECK).assertAnswered();
            both.send("POST /v1/check HTTP/1.1\r\nX: ");

            both.dribbleUntilClosed("x");

            both.assertStillOpen(END_OF_HEAD, OK);
        }
    }

    @Test
    void incompleteBody_closesTheConnection() {
        try (Both both = new Both()) {
            both.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: " + LENGTH + "\r\n\r\n");

            int sent = both.dribbleUntilClosed("x");

            both.assertStillOpen("x".repeat(LENGTH - sent), "HTTP/1.1 400 ");
        }
    }

    @Test
    void endlessChunks_closeTheConnection() {
        try (Both both = new Both()) {
            both.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");

            both.dribbleUntilClosed("1\r\nx\r\n");

            both.assertStillOpen("0\r\n\r\n", "HTTP/1.1 400 ");
        }
    }

    @Test
    void incompleteIgnoredBody_closesTheConnection() {
        try (Both both = new Both()) {
            both.send("POST /v1/auth HTTP/1.1\r\nHost: x\r\nContent-Length: " + LENGTH + "\r\n\r\n")
                    .assertAnswered();

            int sent = both.dribbleUntilClosed("x");

            both.assertStillOpen("x".repeat(LENGTH - sent) + CHECK, OK);
        }
    }

    @Test
    void silentConnection_isClosed() {
        try (Both both = new Both()) {
            assertThat(both.closing.rest()).isEmpty();

            both.assertNotClosedAtOnce();
            both.assertStillOpen(CHECK, OK);
        }
    }

    @Test
    void connection_withRegularRequests_staysOpen() {
        // A timeout longer than any pause of this machine; what matters is that there are many requests.
        try (RawConnection wire = patient.wire()) {
            for (int i = 0; i < 5000; i++) {
                assertThat(wire.send(CHECK).answer()).startsWith(OK);
            }
        }
    }
}
