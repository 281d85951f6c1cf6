package io.sluice.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.server.decide.RequestBounds;
import io.sluice.server.logging.PeerLog;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Reads the message of a call. A message that is too large is refused when its length is announced. */
final class GrpcCall {
    private static final PeerLog LOG = PeerLog.to("io.sluice.server.rls");

    /** Maximum time from the first byte of a message to its last. */
    private static final long TIMEOUT_MILLIS = 10_000;

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final GrpcMethod method;
    private final GrpcReply reply;
    private @Nullable Buffer body;
    private boolean copied;
    private long timer = -1;
    private boolean done;

    GrpcCall(Vertx vertx, HttpServerRequest request, GrpcMethod method, GrpcReply reply) {
        this.vertx = vertx;
        this.request = request;
        this.method = method;
        this.reply = reply;
    }

    void read() {
        request.handler(this::add);
        request.endHandler(unused -> end());
        request.exceptionHandler(failure -> finish());
    }

    private void add(Buffer chunk) {
        if (done) {
            return;
        }
        body = body == null ? chunk : joined(body, chunk);
        int length = body.length();
        if (length < GrpcReply.PREFIX_BYTES) {
            waitForMore();
            return;
        }
        long announced = Integer.toUnsignedLong(body.getInt(1));
        if (announced > RequestBounds.BODY) {
            fail(
                    GrpcStatus.RESOURCE_EXHAUSTED,
                    "message of " + announced + " bytes (expected: at most " + RequestBounds.BODY + ")");
        } else if (length > GrpcReply.PREFIX_BYTES + announced) {
            fail(GrpcStatus.INTERNAL, "more than one message (expected: one)");
        } else if (length < GrpcReply.PREFIX_BYTES + announced) {
            waitForMore();
        }
    }

    /** Copies the first chunk once; later chunks are appended to the copy. */
    private Buffer joined(Buffer before, Buffer chunk) {
        if (copied) {
            return before.appendBuffer(chunk);
        }
        copied = true;
        return Buffer.buffer(2 * (before.length() + chunk.length()))
                .appendBuffer(before)
                .appendBuffer(chunk);
    }

    private void waitForMore() {
        if (timer < 0) {
            timer = vertx.setTimer(
                    TIMEOUT_MILLIS, unused -> fail(GrpcStatus.DEADLINE_EXCEEDED, "the message did not come in time"));
        }
    }

    private void end() {
        if (done) {
            return;
        }
        finish();
        Buffer read = body;
        if (read == null
                || read.length() < GrpcReply.PREFIX_BYTES
                || read.length() != GrpcReply.PREFIX_BYTES + read.getInt(1)) {
            reply.fail(GrpcStatus.INTERNAL, "the call ended within a message (expected: a whole one)");
            return;
        }
        try {
            method.call(message(read), reply);
        } catch (GrpcException e) {
            reply.fail(e.status, String.valueOf(e.getMessage()));
        } catch (InvalidProtocolBufferException e) {
            reply.fail(GrpcStatus.INVALID_ARGUMENT, "the message is malformed: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("a call failed", e);
            reply.fail(GrpcStatus.INTERNAL, "the call failed");
        }
    }

    private byte[] message(Buffer read) {
        byte[] message = read.getBytes(GrpcReply.PREFIX_BYTES, read.length());
        byte flag = read.getByte(0);
        if (flag == 0) {
            return message;
        }
        String encoding = request.getHeader("grpc-encoding");
        if (flag != 1 || encoding == null || encoding.equals("identity")) {
            throw new GrpcException(
                    GrpcStatus.INTERNAL,
                    "flag " + flag + " without an encoding (expected: 0, or 1 with grpc-encoding)");
        }
        if (!encoding.equals("gzip")) {
            throw new GrpcException(
                    GrpcStatus.UNIMPLEMENTED, "grpc-encoding " + encoding + " (expected: identity or gzip)");
        }
        return Gzip.inflate(message, RequestBounds.BODY);
    }

    private void fail(GrpcStatus status, String message) {
        finish();
        reply.fail(status, message);
    }

    private void finish() {
        done = true;
        if (timer >= 0) {
            vertx.cancelTimer(timer);
            timer = -1;
        }
    }
}
