package io.sluice.server.rls;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Sends the messages and the status of a call. Used on the event loop of the call. */
final class GrpcReply {
    static final int PREFIX_BYTES = 5;

    private static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("application/grpc");
    private static final CharSequence STATUS = HttpHeaders.createOptimized("grpc-status");
    private static final CharSequence OK = HttpHeaders.createOptimized(GrpcStatus.OK.code);
    private static final CharSequence MESSAGE = HttpHeaders.createOptimized("grpc-message");
    private static final CharSequence ACCEPT_ENCODING = HttpHeaders.createOptimized("grpc-accept-encoding");
    private static final CharSequence ENCODINGS = HttpHeaders.createOptimized("identity,gzip");

    private final HttpServerResponse response;
    private boolean started;

    GrpcReply(HttpServerResponse response) {
        this.response = response;
    }

    /** Sends the only message and ends the call. */
    void answer(MessageLite message) {
        if (isOver()) {
            return;
        }
        start();
        response.putTrailer(STATUS, OK);
        response.end(framed(message));
    }

    /** Sends one of several messages. */
    void send(MessageLite message) {
        if (!isOver()) {
            start();
            response.write(framed(message));
        }
    }

    /** Ends the call with an error status. */
    void fail(GrpcStatus status, String message) {
        if (isOver()) {
            return;
        }
        if (started) {
            response.putTrailer(STATUS, status.code).putTrailer(MESSAGE, escaped(message));
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
                    .putHeader(ACCEPT_ENCODING, ENCODINGS)
                    .putHeader(STATUS, status.code)
                    .putHeader(MESSAGE, escaped(message));
        }
        response.end();
    }

    /** Runs a task when the call is over: it ended, was cancelled, or its connection closed. */
    void onClose(Runnable task) {
        response.closeHandler(unused -> task.run());
    }

    /** Whether the call ended, was cancelled, or lost its connection. */
    boolean isOver() {
        return response.ended() || response.closed();
    }

    private void start() {
        if (!started) {
            started = true;
            response.putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE);
        }
    }

    private static Buffer framed(MessageLite message) {
        int size = message.getSerializedSize();
        byte[] bytes = new byte[PREFIX_BYTES + size];
        ByteBuffer.wrap(bytes).putInt(1, size);
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, PREFIX_BYTES, size);
        try {
            message.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Buffer.buffer(bytes);
    }

    /** Percent-encodes a text for the grpc-message header. */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && b != '%') {
                out.append((char) b);
            } else {
                out.append('%').append(String.format("%02X", b & 0xff));
            }
        }
        return out.toString();
    }
}
