package io.sluice.server.rls;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import io.sluice.server.rls.proto.RateLimitRequest;
import java.nio.charset.StandardCharsets;

/** Checks that a call is valid and within the bounds. */
final class CallBounds {
    /** Maximum number of descriptors of one call. They are decided in one step, which must stay short. */
    static final int DESCRIPTORS = 100;

    /** A text with so many characters is never too long in UTF-8. */
    private static final int SAFE_LENGTH = RequestBounds.ATTRIBUTE / 3;

    private CallBounds() {}

    /** @throws GrpcException if the call is not valid */
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
        // The domain is an attribute too.
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
            if (entry.getKey().length() > SAFE_LENGTH || entry.getValue().length() > SAFE_LENGTH) {
                String where = "descriptors[" + index + "].entries[" + i + "].";
                requireSize(where + "key", entry.getKey());
                requireSize(where + "value", entry.getValue());
            }
        }
    }

    private static void requireSize(String what, String text) {
        if (text.length() > SAFE_LENGTH) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > RequestBounds.ATTRIBUTE) {
                throw GrpcException.invalid(
                        what + ": " + bytes + " bytes (expected: at most " + RequestBounds.ATTRIBUTE + ")");
            }
        }
    }
}
