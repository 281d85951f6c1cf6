package io.sluice.cli.simulate.report;

import static io.sluice.cli.console.OutputBuffer.ascii;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.server.simulate.trace.CsvRequestReader;
import io.sluice.server.simulate.trace.KeyRequest;
import io.sluice.server.simulate.trace.TraceKey;
import java.util.List;

/** Writes decisions as CSV. Keys are quoted by RFC 4180 where needed. */
final class CsvDecisionWriter implements DecisionWriter {
    private static final String HEADER =
            CsvRequestReader.HEADER + ",allowed,remaining,retry_after_us,delay_us,reset_after_us\n";
    private static final byte[] ALLOWED = ascii(",true,");
    private static final byte[] DENIED = ascii(",false,");

    private final OutputBuffer out;
    private final byte[][] names;

    CsvDecisionWriter(List<Limit> limits, OutputBuffer out) {
        this.out = out;
        this.names = limits.size() == 1
                ? new byte[1][0]
                : limits.stream().map(limit -> ascii(limit + ",")).toArray(byte[][]::new);
    }

    @Override
    public void begin() {
        out.put(ascii(names.length == 1 ? HEADER : "limit," + HEADER));
    }

    @Override
    public void write(int limit, KeyRequest row, Decision decision) {
        out.put(names[limit]);
        out.put(row.timeMicros());
        out.put(',');
        key(row.key());
        out.put(',');
        out.put(row.permits());
        out.put(decision.allowed() ? ALLOWED : DENIED);
        out.put(DecisionWriter.remaining(decision));
        out.put(',');
        out.put(DecisionWriter.retryAfter(decision));
        out.put(',');
        out.put(decision.delayMicros());
        out.put(',');
        out.put(decision.resetAfterMicros());
        out.put('\n');
    }

    private void key(TraceKey key) {
        byte[] utf8 = key.utf8();
        if (key.plain() || !needsQuotes(utf8)) {
            out.put(utf8);
            return;
        }
        out.put('"');
        int from = 0;
        for (int i = 0; i < utf8.length; i++) {
            if (utf8[i] == '"') {
                out.put(utf8, from, i + 1 - from);
                from = i;
            }
        }
        out.put(utf8, from, utf8.length - from);
        out.put('"');
    }

    private static boolean needsQuotes(byte[] utf8) {
        for (byte b : utf8) {
            if (b == ',' || b == '"' || b == '\n' || b == '\r') {
                return true;
            }
        }
        return false;
    }
}
