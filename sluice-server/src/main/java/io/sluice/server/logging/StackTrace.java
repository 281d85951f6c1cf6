package io.sluice.server.logging;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The stack trace of an exception as text. */
final class StackTrace {
    private StackTrace() {}

    static String of(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString().strip();
    }
}
