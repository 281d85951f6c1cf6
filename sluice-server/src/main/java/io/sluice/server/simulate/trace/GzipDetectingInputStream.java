package io.sluice.server.simulate.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Unzips gzipped input and passes other input through. The first two bytes tell which. A read never waits for more than it needs. */
public final class GzipDetectingInputStream extends InputStream {
    /** The first byte of gzip. No text begins with it. */
    private static final byte FIRST = 0x1f;

    private static final byte SECOND = (byte) 0x8b;
    private static final int BUFFER = 1 << 16;

    private final InputStream source;
    private @Nullable InputStream content;

    public GzipDetectingInputStream(InputStream source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        if (content != null) {
            return content.read(bytes, from, count);
        }
        int had = source.read(bytes, from, count);
        if (had <= 0) {
            return had;
        }
        if (bytes[from] != FIRST || (had > 1 && bytes[from + 1] != SECOND)) {
            content = source;
            return had;
        }
        InputStream begun = new ByteArrayInputStream(Arrays.copyOfRange(bytes, from, from + had));
        content = new GZIPInputStream(new SequenceInputStream(begun, source), BUFFER);
        return content.read(bytes, from, count);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
