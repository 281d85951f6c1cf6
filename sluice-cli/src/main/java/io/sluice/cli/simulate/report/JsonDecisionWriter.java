package io.sluice.cli.simulate.report;

import static io.sluice.cli.console.OutputBuffer.ascii;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.server.simulate.trace.KeyRequest;
import io.sluice.server.simulate.trace.TraceKey;
import java.util.List;

/** Writes decisions as JSON, one object per line, with the fields of the CSV in the same order. */
final class JsonDecisionWriter implements DecisionWriter {
    private static final byte[] KEY = ascii(",\"key\":\"");
    private static final byte[] PERMITS = ascii("\",\"permits\":");
    private static final byte[] ALLOWED = ascii(",\"allowed\":true,\"remaining\":");
    private static final byte[] DENIED = ascii(",\"allowed\":false,\"remaining\":");
    private static final byte[] RETRY_AFTER = ascii(",\"retry_after_us\":");
    private static final byte[] DELAY = ascii(",\"delay_us\":");
    private static final byte[] RESET_AFTER = ascii(",\"reset_after_us\":");
    private static final byte[] END = ascii("}\n");

    private final OutputBuffer out;
    private final byte[][] beginnings;

    JsonDecisionWriter(List<Limit> limits, OutputBuffer out) {
        this.out = out;
        this.beginnings = limits.size() == 1
                ? new byte[][] {ascii("{\"time_us\":")}
                : limits.stream()
                        .map(limit -> ascii("{\"limit\":\"" + limit + "\",\"time_us\":"))
                        .toArray(byte[][]::new);
    }

    @Override
    public void begin() {}

    @Override
    public void write(int limit, KeyRequest row, Decision decision) {
        out.put(beginnings[limit]);
        out.put(row.timeMicros());
        out.put(KEY);
        key(row.key());
        out.put(PERMITS);
        out.put(row.permits());
        out.put(decision.allowed() ? ALLOWED : DENIED);
        out.put(DecisionWriter.remaining(decision));
        out.put(RETRY_AFTER);
        out.put(DecisionWriter.retryAfter(decision));
        out.put(DELAY);
        out.put(decision.delayMicros());
        out.put(RESET_AFTER);
        out.put(decision.resetAfterMicros());
        out.put(END);
    }

    private void key(TraceKey key) {
        byte[] utf8 = key.utf8();
        if (key.plain()) {
            out.put(utf8);
            return;
        }
        for (byte b : utf8) {
            switch (b) {
                case '"' -> out.put(ascii("\\\""));
                case '\\' -> out.put(ascii("\\\\"));
                case '\n' -> out.put(ascii("\\n"));
                case '\r' -> out.put(ascii("\\r"));
                case '\t' -> out.put(ascii("\\t"));
                default -> {
                    if (b >= 0 && b < ' ') {
                        out.put(ascii(String.format("\\u%04x", b)));
                    } else {
                        out.put((char) (b & 0xff));
                    }
                }
            }
        }
    }
}
