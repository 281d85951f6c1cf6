package io.sluice.cli.serve;

import io.sluice.server.wire.Http2Frame;
import io.sluice.server.wire.Http2Frames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;

/**
 * A hostile HTTP/2 client: it sends as many requests as the server allows and accepts only a few bytes of each response. It
 * keeps the connection alive by pings.
 */
final class NonReadingHttp2Client implements AutoCloseable {
    /** How many streams are open at a time. */
    private static final int STREAMS = 250;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final Http2Frames frames = new Http2Frames();
    private final byte[] body;
    private final Set<Integer> open = new TreeSet<>();
    private long window = 65_535;
    private int next = 1;
    private int resets;
    private int heads;

    /** @param accepted how many bytes of each response the server may send */
    NonReadingHttp2Client(int port, byte[] body, int accepted) throws IOException {
        this.body = body;
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(1);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        out.write(frames.open().window(accepted).take());
    }

    /** How many streams the server has reset although the response was not complete. */
    int resets() {
        return resets;
    }

    /** How many responses have begun. */
    int heads() {
        return heads;
    }

    /** Sends as many requests as the server allows and a ping, then reads what has arrived. */
    void exchange() throws IOException {
        while (open.size() < STREAMS && window >= body.length) {
            out.write(frames.post(next, "/v1/check:batch", "application/json", body)
                    .take());
            open.add(next);
            next += 2;
            window -= body.length;
        }
        out.write(frames.ping().take());
        readAll();
    }

    private void readAll() throws IOException {
        while (true) {
            int first;
            try {
                first = in.read();
            } catch (SocketTimeoutException e) {
                return;
            }
            if (first < 0) {
                throw new IOException("the server has closed the connection");
            }
            // The rest of the frame has arrived or arrives at once.
            socket.setSoTimeout(60_000);
            handle(Http2Frame.read(first, in));
            socket.setSoTimeout(1);
        }
    }

    private void handle(Http2Frame frame) throws IOException {
        if (frame.extendsConnectionWindow()) {
            window += ByteBuffer.wrap(frame.payload()).getInt();
        } else if (frame.isNewSettings()) {
            out.write(frames.acknowledgeSettings().take());
        } else if (frame.isHeaders()) {
            heads++;
        } else if (frame.isReset()) {
            resets++;
            open.remove(frame.stream());
        }
        if (frame.endsStream()) {
            open.remove(frame.stream());
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
