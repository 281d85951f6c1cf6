package io.sluice.server.rls;

import static io.sluice.server.rls.Calls.call;
import static io.sluice.server.rls.Calls.descriptor;
import static io.sluice.server.rls.Calls.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls that are refused, and the status of each. */
class GrpcBoundsTest {
    private final RlsTestServer served = RlsTestServer.by("- { name: all, limit: 1000 per 1m }");

    @AfterEach
    void close() {
        served.close();
    }

    private void ask(RateLimitRequest.Builder call) {
        RateLimitServiceGrpc.newBlockingStub(served.channel).shouldRateLimit(call.build());
    }

    private void assertRefused(RateLimitRequest.Builder call, Status.Code code, String why) {
        StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, () -> ask(call));
        assertThat(refused.getStatus().getCode()).isEqualTo(code);
        assertThat(refused.getStatus().getDescription()).isEqualTo(why);
    }

    private void assertInvalid(RateLimitRequest.Builder call, String why) {
        assertRefused(call, Status.Code.INVALID_ARGUMENT, why);
    }

    @Test
    void incompleteCall_isInvalid() {
        assertInvalid(call(descriptor("a", "b")).setDomain(""), "domain: empty (expected: a name)");
        assertInvalid(call(), "descriptors: 0 (expected: 1 to 100)");
        assertInvalid(
                call(descriptor("a", "b"), descriptor("a", "b", "", "c")),
                "descriptors[1].entries[1].key: empty (expected: a name)");
    }

    @Test
    void callOverTheBounds_isInvalid() {
        RateLimitRequest.Builder many = call();
        IntStream.rangeClosed(0, 100).forEach(i -> many.addDescriptors(descriptor("a", "b" + i)));
        assertInvalid(many, "descriptors: 101 (expected: 1 to 100)");
        RateLimitDescriptor.Builder entries = descriptor();
        IntStream.range(0, 64).forEach(i -> entries.addEntriesBuilder().setKey("k" + i));
        assertInvalid(call(entries), "descriptors[0].entries: 64 (expected: at most 63)");
        assertInvalid(
                call(descriptor("a", "é".repeat(2049))),
                "descriptors[0].entries[0].value: 4098 bytes (expected: at most 4096)");
        assertInvalid(
                call(descriptor("a", "b")).setDomain("d".repeat(4097)), "domain: 4097 bytes (expected: at most 4096)");
    }

    @Test
    void callOfTheMaximumSize_isDecided() {
        RateLimitRequest.Builder many = call();
        IntStream.range(0, 100).forEach(i -> many.addDescriptors(descriptor("a", "b" + i)));
        ask(many);
        RateLimitDescriptor.Builder entries = descriptor("v", "é".repeat(2048));
        IntStream.range(0, 62).forEach(i -> entries.addEntriesBuilder().setKey("k" + i));
        ask(call(entries));
    }

    @Test
    void limitOfADescriptor_withoutAUnit_isInvalid() {
        assertInvalid(
                call(limit(descriptor("a", "b"), 1, RateLimitUnit.UNKNOWN)),
                "descriptors[0].limit.unit: 0 (expected: SECOND to YEAR, or WEEK)");
    }

    @Test
    void hitsToGiveBack_areRefusedAndNotCharged() {
        UnknownFieldSet negative = UnknownFieldSet.newBuilder()
                .addField(4, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        assertInvalid(
                call(descriptor("a", "b").setUnknownFields(negative)),
                "descriptors[0].is_negative_hits: true (expected: false; permits are not given back here)");
    }

    @Test
    void message_tooLarge_isRefused() {
        assertRefused(
                call(descriptor("a", "b".repeat(65_536))),
                Status.Code.RESOURCE_EXHAUSTED,
                "message of 65557 bytes (expected: at most 65536)");
    }

    @Test
    void message_compressed_isRead() {
        assertThat(RateLimitServiceGrpc.newBlockingStub(served.channel)
                        .withCompression("gzip")
                        .shouldRateLimit(call(descriptor("a", "b".repeat(1000))).build())
                        .getOverallCode())
                .isEqualTo(Code.OK);
    }

    @Test
    void message_tooLargeWhenDecompressed_isRefused() {
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> RateLimitServiceGrpc.newBlockingStub(served.channel)
                        .withCompression("gzip")
                        .shouldRateLimit(
                                call(descriptor("a", "b".repeat(10_000_000))).build()));
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(refused.getStatus().getDescription())
                .isEqualTo("message of more than 65536 bytes when decompressed (expected: at most 65536)");
    }

    @Test
    void message_malformed_isInvalid() {
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> raw(
                        RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName(),
                        ByteString.fromHex("0aff")));
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refused.getStatus().getDescription()).startsWith("the message is malformed: ");
    }

    @Test
    void method_unknown_isUnimplemented() {
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> raw("envoy.service.ratelimit.v3.RateLimitService/Other", ByteString.EMPTY));
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        assertThat(refused.getStatus().getDescription())
                .isEqualTo("no such method: /envoy.service.ratelimit.v3.RateLimitService/Other");
    }

    private void raw(String method, ByteString message) {
        MethodDescriptor<ByteString, ByteString> asked = MethodDescriptor.<ByteString, ByteString>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(method)
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
        ClientCalls.blockingUnaryCall(served.channel, asked, CallOptions.DEFAULT, message);
    }

    /** Passes messages as bytes. */
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
