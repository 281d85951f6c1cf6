package io.sluice.server.rls;

/** The gRPC status codes that this server uses. */
enum GrpcStatus {
    OK(0),
    INVALID_ARGUMENT(3),
    DEADLINE_EXCEEDED(4),
    NOT_FOUND(5),
    RESOURCE_EXHAUSTED(8),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14);

    /** The number as text, for the grpc-status header. */
    final String code;

    GrpcStatus(int code) {
        this.code = Integer.toString(code);
    }
}
