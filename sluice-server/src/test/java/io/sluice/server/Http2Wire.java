package io.sluice.server;

import static io.sluice.server.Http2Frames.DATA;
import static io.sluice.server.Http2Frames.END_STREAM;
import static io.sluice.server.Http2Frames.HEADERS;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/** A client of HTTP/2 that sends its frames when it is told, all in one write. */
public final class Http2Wire implements AutoCloseable {

    private final Socket socket;
    private final DataInputStream in;
    private final Http2Frames unsent = new Http2Frames().open();

    /** What the server has sent. */
    private record Frame(int type, int flags, int stream) {
        boolean ends(int id) {
            return stream == id && (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }
    }

    public Http2Wire(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            // Only so that a test that fails does so; nothing is measured by it.
            socket.setSoTimeout(60_000);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on the server may send so many bytes of each answer. */
    public Http2Wire window(int bytes) {
        unsent.window(bytes);
        return this;
    }

    /** A whole request. */
    public Http2Wire post(int stream, String path, String contentType, byte[] body) {
        unsent.post(stream, path, contentType, body);
        return this;
    }

    public Http2Wire head(int stream, String path, String contentType) {
        unsent.head(stream, path, contentType);
        return this;
    }

    public Http2Wire data(int stream, byte[] bytes, boolean end) {
        unsent.data(stream, bytes, end);
        return this;
    }

    public Http2Wire cancel(int stream) {
        unsent.cancel(stream);
        return this;
    }

    /** Sends what was put together, in one write. */
    public Http2Wire send() {
        try {
            socket.getOutputStream().write(unsent.take());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Whether an answer comes to its end; not if the server closes the connection before. */
    public boolean answers(int stream) {
        try {
            while (!next().ends(stream)) {
                // Frames of others.
            }
            return true;
        } catch (EOFException | SocketException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until the server has begun an answer. */
    public void awaitHead(int stream) {
        try {
            Frame frame;
            do {
                frame = next();
            } while (frame.type != HEADERS || frame.stream != stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Frame next() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        in.skipNBytes(length);
        if (type == DATA && length > 0) {
            unsent.read(length);
        }
        return new Frame(type, flags, stream);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
