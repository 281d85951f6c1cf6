package io.sluice.cli.simulate.decide;

import io.sluice.cli.console.OutputBuffer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Before more input is awaited, all decisions so far go out: so the command also works at the end of a live pipe. */
public final class FlushingInputStream extends FilterInputStream {
    private final TraceRunner<?> decider;
    private final OutputBuffer out;

    public FlushingInputStream(InputStream in, TraceRunner<?> decider, OutputBuffer out) {
        super(in);
        this.decider = decider;
        this.out = out;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        if (mayWait()) {
            decider.settle();
            out.flush();
        }
        return super.read(bytes, from, count);
    }

    private boolean mayWait() {
        try {
            return in.available() == 0;
        } catch (IOException e) {
            // A pipe that was opened as a file does not know.
            return true;
        }
    }
}
