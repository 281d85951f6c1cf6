package io.sluice.server.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Builds HTTP/2 frames by hand, so that a client can send several in one write. */
public final class Http2Frames {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;

    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int CANCEL = 8;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME_BYTES = 16 * 1024;

    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();

    /** The connection preface and empty settings, which every client sends first. */
    public Http2Frames open() {
        unsent.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        return frame(SETTINGS, 0, 0, new byte[0]);
    }

    /** Sets the flow-control window of new streams: how many bytes of a response the server may send unasked. */
    public Http2Frames window(int bytes) {
        return frame(
                SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6)
                        .putShort((short) INITIAL_WINDOW_SIZE)
                        .putInt(bytes)
                        .array());
    }

    /** Confirms the settings of the server. */
    public Http2Frames acknowledgeSettings() {
        return frame(SETTINGS, ACK, 0, new byte[0]);
    }

    public Http2Frames ping() {
        return frame(PING, 0, 0, new byte[8]);
    }

    /** Extends the flow-control window of the connection by the bytes that were read. */
    public Http2Frames extendWindow(int bytes) {
        return frame(WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(bytes).array());
    }

    /** A complete request. */
    public Http2Frames post(int stream, String path, String contentType, byte[] body) {
        return head(stream, path, contentType).data(stream, body, true);
    }

    /** The headers of a request. */
    public Http2Frames head(int stream, String path, String contentType) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        header(block, ":method", "POST");
        header(block, ":scheme", "http");
        header(block, ":path", path);
        header(block, ":authority", "x");
        header(block, "content-type", contentType);
        return frame(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    /** A header field as a literal: not indexed and not compressed. */
    private static void header(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        for (String text : new String[] {name, value}) {
            byte[] bytes = text.getBytes(UTF_8);
            if (bytes.length >= 127) {
                throw new IllegalArgumentException(text);
            }
            block.write(bytes.length);
            block.writeBytes(bytes);
        }
    }

    /** The body of a request, or a part of it, in as many frames as it needs. */
    public Http2Frames data(int stream, byte[] bytes, boolean end) {
        int from = 0;
        for (; bytes.length - from > MAX_FRAME_BYTES; from += MAX_FRAME_BYTES) {
            frame(DATA, 0, stream, Arrays.copyOfRange(bytes, from, from + MAX_FRAME_BYTES));
        }
        return frame(DATA, end ? END_STREAM : 0, stream, Arrays.copyOfRange(bytes, from, bytes.length));
    }

    public Http2Frames cancel(int stream) {
        return frame(
                RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(CANCEL).array());
    }

    private Http2Frames frame(int type, int flags, int stream, byte[] payload) {
        unsent.writeBytes(ByteBuffer.allocate(9)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .array());
        unsent.writeBytes(payload);
        return this;
    }

    /** Removes and returns all frames that were built since the last call. */
    public byte[] take() {
        byte[] taken = unsent.toByteArray();
        unsent.reset();
        return taken;
    }
}
