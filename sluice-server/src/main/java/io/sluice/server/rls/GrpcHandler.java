package io.sluice.server.rls;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * gRPC is little more than a length before each message and a status after the last. It is read here and not by a framework, so
 * that every bound holds: the size of a message, its size when decompressed, and the time until it is complete.
 */
/** Routes gRPC calls to their methods by path. All methods are added before the first call. */
public final class GrpcHandler implements Handler<HttpServerRequest> {
    private static final String CONTENT_TYPE = "application/grpc";

    private final Vertx vertx;
    private final Map<String, GrpcMethod> methods = new HashMap<>();

    GrpcHandler(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Whether a request is a gRPC call: over HTTP/2, with protobuf messages. */
    public static boolean isGrpc(HttpServerRequest request) {
        if (request.version() != HttpVersion.HTTP_2 || !request.method().equals(HttpMethod.POST)) {
            return false;
        }
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (type == null || !type.startsWith(CONTENT_TYPE)) {
            return false;
        }
        int end = CONTENT_TYPE.length();
        return type.length() == end || type.charAt(end) == ';' || type.startsWith("+proto", end);
    }

    /** @param path such as {@code /grpc.health.v1.Health/Check} */
    GrpcHandler add(String path, GrpcMethod method) {
        methods.put(path, method);
        return this;
    }

    @Override
    public void handle(HttpServerRequest request) {
        GrpcReply reply = new GrpcReply(request.response());
        @Nullable GrpcMethod method = methods.get(request.path());
        if (method == null) {
            reply.fail(GrpcStatus.UNIMPLEMENTED, "no such method: " + request.path());
        } else {
            new GrpcCall(vertx, request, method, reply).read();
        }
    }
}
