package io.sluice.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;

/** A method that takes one message. */
@FunctionalInterface
interface GrpcMethod {
    /**
     * Answers, now or later. On the event loop of the call.
     *
     * @throws InvalidProtocolBufferException if the message is none
     * @throws GrpcException to end the call
     */
    void call(byte[] message, GrpcReply reply) throws InvalidProtocolBufferException;
}
