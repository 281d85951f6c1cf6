package io.sluice.server.logging;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/*
 * An event is one line that begins with a time. A message may contain text from a client, so its line breaks are escaped, and
 * the lines of a stack trace are indented. No client can write a line that looks like an event.
 */
/** One event as a line of text: {@code 2026-01-31T12:00:00.000Z INFO  io.sluice.server: listening on ...}. */
final class TextFormat extends Formatter {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Override
    public String format(LogRecord event) {
        StringBuilder line = new StringBuilder(200);
        TIME.formatTo(event.getInstant(), line);
        line.append(String.format(" %-5s ", LevelName.of(event.getLevel())));
        escape(String.valueOf(event.getLoggerName()), line);
        line.append(": ");
        escape(String.valueOf(formatMessage(event)), line);
        line.append('\n');
        if (event.getThrown() != null) {
            StackTrace.of(event.getThrown()).lines().forEach(trace -> {
                line.append("    ");
                escape(trace, line);
                line.append('\n');
            });
        }
        return line.toString();
    }

    private static void escape(String text, StringBuilder line) {
        text.chars().forEach(c -> {
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append(' ');
                default -> {
                    if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                        line.append(String.format("\\u%04x", c));
                    } else {
                        line.append((char) c);
                    }
                }
            }
        });
    }
}
