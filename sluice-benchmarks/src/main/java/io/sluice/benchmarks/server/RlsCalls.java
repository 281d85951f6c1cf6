package io.sluice.benchmarks.server;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;

/** Calls of Envoy's rate limit service as bytes. Both servers get the same bytes, so the client costs the same for both. */
final class RlsCalls implements AutoCloseable {
    static final String PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

    private static final ServiceName SERVICE = ServiceName.create("envoy.service.ratelimit.v3.RateLimitService");
    private static final String METHOD = "ShouldRateLimit";

    static final ServiceMethod<Buffer, Buffer> ECHO_SERVED =
            ServiceMethod.server(SERVICE, METHOD, GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);
    private static final ServiceMethod<Buffer, Buffer> CALLED =
            ServiceMethod.client(SERVICE, METHOD, GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);

    private final Vertx vertx = Vertx.vertx();
    private final GrpcClient client;

    RlsCalls(int connections, int streams) {
        HttpClient http = vertx.createHttpClient(
                new HttpClientOptions()
                        .setProtocolVersion(HttpVersion.HTTP_2)
                        .setHttp2ClearTextUpgrade(false)
                        .setHttp2MultiplexingLimit(streams),
                new PoolOptions().setHttp2MaxSize(connections));
        client = GrpcClient.client(vertx, http);
    }

    /** A request of one descriptor with two entries. */
    static Buffer request(int tenant) {
        Buffer descriptor = join(field(1, entry("tenant", "tenant-" + tenant)), field(1, entry("path", "/api/orders")));
        return join(field(1, Buffer.buffer("bench")), field(2, descriptor));
    }

    private static Buffer entry(String key, String value) {
        return join(field(1, Buffer.buffer(key)), field(2, Buffer.buffer(value)));
    }

    /** A Protobuf field of fewer than 128 bytes. */
    private static Buffer field(int number, Buffer bytes) {
        Buffer head = Buffer.buffer(new byte[] {(byte) (number << 3 | 2), (byte) bytes.length()});
        return join(head, bytes);
    }

    private static Buffer join(Buffer first, Buffer second) {
        return Buffer.buffer().appendBuffer(first).appendBuffer(second);
    }

    Future<?> call(int port, Buffer request) {
        return client.request(SocketAddress.inetSocketAddress(port, "127.0.0.1"), CALLED)
                .compose(call -> call.send(request))
                .compose(response -> response.last());
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
