package io.sluice.cli.serve;

import com.google.protobuf.ByteString;
import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Calls a server like Envoy: with the messages of Envoy, over grpc-java. */
final class EnvoyClient implements AutoCloseable {
    final ManagedChannel channel;

    EnvoyClient(ServerProcess server) {
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .build();
    }

    /** A request with one entry and a number of hits. */
    static RateLimitDescriptor descriptor(String key, String value, long hits) {
        return RateLimitDescriptor.newBuilder()
                .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value))
                .setHitsAddend(UInt64Value.of(hits))
                .build();
    }

    static RateLimitRequest request(RateLimitDescriptor... descriptors) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("edge");
        for (RateLimitDescriptor descriptor : descriptors) {
            request.addDescriptors(descriptor);
        }
        return request.build();
    }

    RateLimitResponse ask(RateLimitDescriptor... descriptors) {
        return RateLimitServiceGrpc.newBlockingStub(channel).shouldRateLimit(request(descriptors));
    }

    /** Sends any bytes as a message. */
    ByteString askRaw(ByteString message) {
        MethodDescriptor<ByteString, ByteString> method = MethodDescriptor.<ByteString, ByteString>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(
                        RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName())
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, message);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<ByteString> {
        @Override
        public InputStream stream(ByteString value) {
            return new ByteArrayInputStream(value.toByteArray());
        }

        @Override
        public ByteString parse(InputStream stream) {
            try {
                return ByteString.readFrom(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
