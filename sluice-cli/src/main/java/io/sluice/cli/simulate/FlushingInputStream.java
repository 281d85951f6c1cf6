package io.sluice.cli.simulate;

import io.sluice.cli.console.OutputBuffer;
import io.sluice.server.simulate.decide.TraceRunner;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Writes all decisions so far before a read that may block. So the command also works on a live pipe. */
public final class FlushingInputStream extends FilterInputStream {
    private final TraceRunner<?> runner;
    private final OutputBuffer out;

    public FlushingInputStream(InputStream in, TraceRunner<?> runner, OutputBuffer out) {
        super(in);
        this.runner = runner;
        this.out = out;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        if (mayBlock()) {
            runner.drain();
            out.flush();
        }
        return super.read(bytes, from, count);
    }

    private boolean mayBlock() {
        try {
            return in.available() == 0;
        } catch (IOException e) {
            // A pipe that was opened as a file does not support this.
            return true;
        }
    }
}
