package io.sluice.server.logging;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One event as a line of JSON: {@code {"time":"...","level":"INFO","logger":"io.sluice.server","thread":7,"message":"..."}}, with {@code error}. */
final class JsonFormat extends Formatter {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public String format(LogRecord event) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("time", event.getInstant().toString());
            json.writeStringField("level", LevelName.of(event.getLevel()));
            json.writeStringField("logger", event.getLoggerName());
            json.writeNumberField("thread", event.getLongThreadID());
            json.writeStringField("message", formatMessage(event));
            if (event.getThrown() != null) {
                json.writeStringField("error", StackTrace.of(event.getThrown()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.append('\n').toString();
    }
}
