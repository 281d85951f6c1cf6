package io.sluice.server.flood;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends bytes as fast as the server reads them, and reads either all replies or none. */
abstract class Bytes implements Connection {
    private final SocketChannel channel;
    private final boolean neverReads;
    private final ByteBuffer read = ByteBuffer.allocate(16 * 1024);
    private ByteBuffer unsent = ByteBuffer.allocate(0);

    Bytes(int port, boolean neverReads) {
        this.neverReads = neverReads;
        try {
            channel = SocketChannel.open();
            // Small, so that the server must buffer the bytes that this client does not read.
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 * 1024);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes to send next. */
    abstract byte[] next();

    @Override
    public boolean sendMore() {
        try {
            if (!unsent.hasRemaining()) {
                unsent = ByteBuffer.wrap(next());
            }
            channel.write(unsent);
            read.clear();
            return neverReads || channel.read(read) >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
