package io.sluice.server.rls;

/** Why a call ends without an answer. */
final class GrpcException extends RuntimeException {
    private static final long serialVersionUID = 1;

    final GrpcStatus status;

    GrpcException(GrpcStatus status, String message) {
        // Whose mistake it is does not stand in a stack trace.
        super(message, null, false, false);
        this.status = status;
    }

    static GrpcException invalid(String message) {
        return new GrpcException(GrpcStatus.INVALID_ARGUMENT, message);
    }
}
