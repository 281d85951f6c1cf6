package io.sluice.server.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/** An HTTP/2 client for tests that sends its frames on demand, all in one write. */
public final class Http2Client implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final Http2Frames unsent = new Http2Frames().open();

    public Http2Client(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            // Ends a test that would hang; nothing is measured by it.
            socket.setSoTimeout(60_000);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the flow-control window of new streams: how many bytes of a response the server may send unasked. */
    public Http2Client window(int bytes) {
        unsent.window(bytes);
        return this;
    }

    /** A complete request. */
    public Http2Client post(int stream, String path, String contentType, byte[] body) {
        unsent.post(stream, path, contentType, body);
        return this;
    }

    public Http2Client head(int stream, String path, String contentType) {
        unsent.head(stream, path, contentType);
        return this;
    }

    public Http2Client data(int stream, byte[] bytes, boolean end) {
        unsent.data(stream, bytes, end);
        return this;
    }

    public Http2Client cancel(int stream) {
        unsent.cancel(stream);
        return this;
    }

    /** Sends all frames that were built, in one write. */
    public Http2Client send() {
        try {
            socket.getOutputStream().write(unsent.take());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Reads until a response is complete. Returns false if the server closes the connection before. */
    public boolean readsResponse(int stream) {
        try {
            while (!next().ends(stream)) {
                // Frames of other streams.
            }
            return true;
        } catch (EOFException | SocketException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until the headers of a response have arrived. */
    public void awaitHead(int stream) {
        try {
            Http2Frame frame;
            do {
                frame = next();
            } while (!frame.isHeaders() || frame.stream() != stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Http2Frame next() throws IOException {
        Http2Frame frame = Http2Frame.read(in);
        if (frame.isData() && frame.payload().length > 0) {
            unsent.extendWindow(frame.payload().length);
        }
        return frame;
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
