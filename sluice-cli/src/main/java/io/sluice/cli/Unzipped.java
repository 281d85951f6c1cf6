package io.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Input as it is, or as it was before gzip: its first bytes tell. Nothing is read before somebody asks. */
final class Unzipped extends InputStream {
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final int BUFFER = 1 << 16;

    private final InputStream source;
    private @Nullable InputStream content;

    Unzipped(InputStream source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        if (content == null) {
            content = content();
        }
        return content.read(bytes, from, count);
    }

    private InputStream content() throws IOException {
        PushbackInputStream in = new PushbackInputStream(source, GZIP.length);
        byte[] first = new byte[GZIP.length];
        int count = Math.max(0, in.read(first, 0, 1));
        if (count == 1 && first[0] == GZIP[0]) {
            count += Math.max(0, in.read(first, 1, 1));
        }
        in.unread(first, 0, count);
        return count == 2 && first[1] == GZIP[1] ? new GZIPInputStream(in, BUFFER) : in;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
