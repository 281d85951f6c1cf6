package io.sluice.server.rls;

/** How a call ends, as far as it can end so here. */
enum GrpcStatus {
    OK(0),
    INVALID_ARGUMENT(3),
    DEADLINE_EXCEEDED(4),
    NOT_FOUND(5),
    RESOURCE_EXHAUSTED(8),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14);

    /** As it is written. */
    final String code;

    GrpcStatus(int code) {
        this.code = Integer.toString(code);
    }
}
