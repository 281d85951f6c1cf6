package io.sluice.server.wire;

import java.io.DataInputStream;
import java.io.IOException;

/** An HTTP/2 frame from the server. */
public final class Http2Frame {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;

    private static final int END_STREAM = 1;
    private static final int ACK = 1;

    private final int type;
    private final int flags;
    private final int stream;
    private final byte[] payload;

    private Http2Frame(int type, int flags, int stream, byte[] payload) {
        this.type = type;
        this.flags = flags;
        this.stream = stream;
        this.payload = payload;
    }

    public static Http2Frame read(DataInputStream in) throws IOException {
        return read(in.readUnsignedByte(), in);
    }

    /** Reads a frame whose first byte was read already. */
    public static Http2Frame read(int first, DataInputStream in) throws IOException {
        int length = first << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Http2Frame(type, flags, stream, payload);
    }

    /** The number of the stream; 0 for the connection. */
    public int stream() {
        return stream;
    }

    public byte[] payload() {
        return payload;
    }

    public boolean isData() {
        return type == DATA;
    }

    public boolean isHeaders() {
        return type == HEADERS;
    }

    public boolean isReset() {
        return type == RST_STREAM;
    }

    /** Whether these are settings that the client has to acknowledge. */
    public boolean isNewSettings() {
        return type == SETTINGS && (flags & ACK) == 0;
    }

    /** Whether this frame extends the flow-control window of the connection. */
    public boolean extendsConnectionWindow() {
        return type == WINDOW_UPDATE && stream == 0;
    }

    /** Whether this is the last frame of a response on any stream. */
    public boolean endsStream() {
        return (isData() || isHeaders()) && (flags & END_STREAM) != 0;
    }

    /** Whether this is the last frame of the response on that stream. */
    public boolean ends(int id) {
        return stream == id && endsStream();
    }
}
