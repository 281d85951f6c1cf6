package io.sluice.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderException;
import io.sluice.testkit.ManualTime;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LibraryLogFilterTest {
    private final CapturedLog lines = new CapturedLog("io.sluice.test.peers");
    private final LibraryLogFilter events =
            new LibraryLogFilter(new PeerLog(System.getLogger("io.sluice.test.peers"), new ManualTime()));

    @AfterEach
    void close() {
        lines.close();
    }

    private static LogRecord event(String logger, String message, @Nullable Throwable thrown) {
        LogRecord event = new LogRecord(Level.SEVERE, message);
        event.setLoggerName(logger);
        event.setThrown(thrown);
        return event;
    }

    /** Makes an exception with this place in its stack trace. */
    private static <T extends Throwable> T thrownAt(T thrown, String... classes) {
        StackTraceElement[] trace = new StackTraceElement[classes.length];
        for (int i = 0; i < classes.length; i++) {
            trace[i] = new StackTraceElement(classes[i], "run", "Some.java", i + 1);
        }
        thrown.setStackTrace(trace);
        return thrown;
    }

    @Test
    void event_ofThisProgram_isLoggedUnchanged() {
        assertThat(events.isLoggable(event("io.sluice.server", "any", new IllegalStateException())))
                .isTrue();
        assertThat(lines.events).isEmpty();
    }

    @Test
    void exceptionOfALibrary_isOneLineWithoutAStackTrace() {
        for (int i = 0; i < 1000; i++) {
            Throwable thrown = new DecoderException(thrownAt(
                    new NullPointerException("no promise"), "io.vertx.Stream", "io.sluice.Reply", "io.netty.Loop"));
            assertThat(events.isLoggable(event("io.netty.Http2", "Caught Throwable", thrown)))
                    .isFalse();
        }

        assertThat(lines.texts())
                .containsExactly("io.netty.Http2: Caught Throwable: java.lang.NullPointerException: no promise"
                        + " at io.vertx.Stream.run(Some.java:1), called by io.sluice.Reply.run(Some.java:2)");
        assertThat(lines.events.get(0).getThrown()).isNull();
    }

    @Test
    void exceptionOfThisProgram_isLoggedOnce_withItsStackTrace() {
        NullPointerException thrown = thrownAt(
                new NullPointerException(), "java.util.Objects", "io.sluice.server.http.CheckRoute", "io.vertx.Loop");
        for (int i = 0; i < 1000; i++) {
            assertThat(events.isLoggable(event("io.vertx.core.impl.ContextImpl", "Unhandled exception", thrown)))
                    .isFalse();
        }

        assertThat(lines.texts()).containsExactly("io.vertx.core.impl.ContextImpl: Unhandled exception");
        assertThat(Objects.requireNonNull(lines.events.get(0).getThrown())).isSameAs(thrown);
    }

    @Test
    void event_withoutException_isShortAndThrottled() {
        for (int i = 0; i < 1000; i++) {
            assertThat(events.isLoggable(event("io.vertx.Any", i + "x".repeat(10_000), null)))
                    .isFalse();
        }

        assertThat(lines.texts()).hasSize(1);
        assertThat(lines.texts().get(0)).hasSizeLessThan(400);
    }
}
