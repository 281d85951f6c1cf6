package io.sluice.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LoggingTest {
    private static LogRecord event(Level level, String message, Object... parameters) {
        LogRecord event = new LogRecord(level, message);
        event.setLoggerName("io.sluice.test");
        event.setParameters(parameters);
        event.setInstant(Instant.parse("2026-01-31T12:00:00.123456Z"));
        return event;
    }

    @Test
    void text_isOneLine() {
        assertThat(new TextFormat().format(event(Level.WARNING, "policies: {0}", "none")))
                .isEqualTo("2026-01-31T12:00:00.123Z WARN  io.sluice.test: policies: none\n");
    }

    @Test
    void text_withLineBreaksOfAUser_staysOneLine() {
        String forged = "x\r\n2026-01-31T12:00:00.123Z ERROR io.sluice: forged\u2028\u001b[2J\u0085";

        String line = new TextFormat().format(event(Level.INFO, "{0}", forged));

        assertThat(line).endsWith("forged\\u2028\\u001b[2J\\u0085\n");
        assertThat(line.strip().chars().filter(c -> c < ' ').count()).isZero();
        assertThat(line.lines()).hasSize(1);
    }

    @Test
    void stackTrace_isIndented() {
        LogRecord event = event(Level.SEVERE, "failed");
        event.setThrown(new IllegalStateException("first\n2026-01-31T12:00:00.123Z ERROR io.sluice: forged"));

        assertThat(new TextFormat().format(event).lines().skip(1))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("    "));
    }

    @Test
    void json_hasTheSameFields() {
        LogRecord event = event(Level.FINE, "a \"b\"\n{0}", "c");
        event.setThrown(new IllegalStateException("why"));
        Formatter format = new JsonFormat();

        String line = format.format(event);

        assertThat(line).endsWith("}\n");
        assertThat(line.lines()).hasSize(1);
        JsonObject json = new JsonObject(line);
        assertThat(json.getString("time")).isEqualTo("2026-01-31T12:00:00.123456Z");
        assertThat(json.getString("level")).isEqualTo("DEBUG");
        assertThat(json.getString("logger")).isEqualTo("io.sluice.test");
        assertThat(json.getString("message")).isEqualTo("a \"b\"\nc");
        assertThat(json.getString("error")).startsWith("java.lang.IllegalStateException: why\n\tat ");
    }
}
