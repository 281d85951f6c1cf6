package io.sluice.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;

/** A gRPC method with one request message. */
@FunctionalInterface
interface GrpcMethod {
    /**
     * Handles a call and replies, now or later. Called on the event loop of the call.
     *
     * @throws InvalidProtocolBufferException if the message is malformed
     * @throws GrpcException to end the call with an error
     */
    void call(byte[] message, GrpcReply reply) throws InvalidProtocolBufferException;
}
