package io.sluice.server.rls;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import io.sluice.server.rls.proto.RateLimitRequest;
import java.nio.charset.StandardCharsets;

/** What a call may be. */
final class CallBounds {
    /** Descriptors of one call: they are decided in one step, which must stay a short one. */
    static final int DESCRIPTORS = 100;

    /** So many characters are never too many bytes. */
    private static final int SURELY = RequestBounds.ATTRIBUTE / 3;

    private CallBounds() {}

    /** @throws GrpcException if it is not that */
    static void require(RateLimitRequest request) {
        if (request.getDomain().isEmpty()) {
            throw GrpcException.invalid("domain: empty (expected: a name)");
        }
        requireSize("domain", request.getDomain());
        int count = request.getDescriptorsCount();
        if (count == 0 || count > DESCRIPTORS) {
            throw GrpcException.invalid("descriptors: " + count + " (expected: 1 to " + DESCRIPTORS + ")");
        }
        for (int i = 0; i < count; i++) {
            require(i, request.getDescriptors(i));
        }
    }

    private static void require(int index, RateLimitDescriptor descriptor) {
        int count = descriptor.getEntriesCount();
        // One attribute is the domain.
        if (count >= RequestBounds.ATTRIBUTES) {
            throw GrpcException.invalid("descriptors[" + index + "].entries: " + count + " (expected: at most "
                    + (RequestBounds.ATTRIBUTES - 1) + ")");
        }
        if (descriptor.getIsNegativeHits()) {
            throw GrpcException.invalid("descriptors[" + index
                    + "].is_negative_hits: true (expected: false; permits are not given back here)");
        }
        for (int i = 0; i < count; i++) {
            RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
            if (entry.getKey().isEmpty()) {
                throw GrpcException.invalid(
                        "descriptors[" + index + "].entries[" + i + "].key: empty (expected: a name)");
            }
            if (entry.getKey().length() > SURELY || entry.getValue().length() > SURELY) {
                String where = "descriptors[" + index + "].entries[" + i + "].";
                requireSize(where + "key", entry.getKey());
                requireSize(where + "value", entry.getValue());
            }
        }
    }

    private static void requireSize(String what, String text) {
        if (text.length() > SURELY) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > RequestBounds.ATTRIBUTE) {
                throw GrpcException.invalid(
                        what + ": " + bytes + " bytes (expected: at most " + RequestBounds.ATTRIBUTE + ")");
            }
        }
    }
}
