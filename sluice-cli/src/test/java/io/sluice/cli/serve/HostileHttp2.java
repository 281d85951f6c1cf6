package io.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client of HTTP/2 that asks as much as it may and takes as few bytes of the answers as it likes, in frames that it writes
 * itself. It keeps the connection by pings.
 */
final class HostileHttp2 implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;

    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int LARGEST_FRAME = 16_384;

    /** So many streams may be open at a time. */
    private static final int STREAMS = 250;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final byte[] body;
    private final Map<Integer, Boolean> open = new TreeMap<>();
    private long window = 65_535;
    private int next = 1;

    /** Streams that the other side ended though not all of the answer was taken. */
    int resets;

    /** Answers of which the head came. */
    int heads;

    /** @param take how many bytes of each answer it takes */
    HostileHttp2(int port, byte[] body, int take) throws IOException {
        this.body = body;
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(1);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        frame(
                SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6)
                        .putShort((short) INITIAL_WINDOW_SIZE)
                        .putInt(take)
                        .array());
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        out.write(ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array());
    }

    /** Asks as long as it may, pings, and hears what there is. */
    void go() throws IOException {
        while (open.size() < STREAMS && window >= body.length) {
            ask();
        }
        frame(PING, 0, 0, new byte[8]);
        hear();
    }

    private void ask() throws IOException {
        int stream = next;
        next += 2;
        open.put(stream, true);
        frame(HEADERS, END_HEADERS, stream, head());
        for (int from = 0; from < body.length; from += LARGEST_FRAME) {
            int to = Math.min(body.length, from + LARGEST_FRAME);
            frame(DATA, to == body.length ? END_STREAM : 0, stream, java.util.Arrays.copyOfRange(body, from, to));
        }
        window -= body.length;
    }

    /** Fields without compression, as literals that are not indexed. */
    private static byte[] head() {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        field(head, ":method", "POST");
        field(head, ":scheme", "http");
        field(head, ":authority", "x");
        field(head, ":path", "/v1/check:batch");
        return head.toByteArray();
    }

    private static void field(ByteArrayOutputStream head, String name, String value) {
        head.write(0);
        head.write(name.length());
        head.writeBytes(name.getBytes(US_ASCII));
        head.write(value.length());
        head.writeBytes(value.getBytes(US_ASCII));
    }

    private void hear() throws IOException {
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
            // The rest of a frame is there, or comes at once.
            socket.setSoTimeout(60_000);
            heard(first);
            socket.setSoTimeout(1);
        }
    }

    private void heard(int first) throws IOException {
        int length = first << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
        if (type == WINDOW_UPDATE && stream == 0) {
            window += payload.getInt();
        } else if (type == SETTINGS && (flags & ACK) == 0) {
            frame(SETTINGS, ACK, 0, new byte[0]);
        } else if (type == HEADERS) {
            heads++;
        } else if (type == RST_STREAM) {
            resets++;
            open.remove(stream);
        }
        if ((type == HEADERS || type == DATA) && (flags & END_STREAM) != 0) {
            open.remove(stream);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
