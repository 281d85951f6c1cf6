package io.sluice.server.rls;

/** Ends a call with an error status. */
final class GrpcException extends RuntimeException {
    private static final long serialVersionUID = 1;

    final GrpcStatus status;

    GrpcException(GrpcStatus status, String message) {
        // Without a stack trace: the call is wrong, not this program.
        super(message, null, false, false);
        this.status = status;
    }

    static GrpcException invalid(String message) {
        return new GrpcException(GrpcStatus.INVALID_ARGUMENT, message);
    }
}
