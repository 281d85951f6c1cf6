package io.sluice.server.rls;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes calls with the classes of the Envoy API. */
final class Calls {
    private Calls() {}

    /** @param keysAndValues keys and values in turn */
    static RateLimitDescriptor.Builder descriptor(String... keysAndValues) {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            descriptor.addEntriesBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]);
        }
        return descriptor;
    }

    static RateLimitDescriptor.Builder hits(RateLimitDescriptor.Builder descriptor, long hits) {
        return descriptor.setHitsAddend(UInt64Value.of(hits));
    }

    static RateLimitDescriptor.Builder limit(RateLimitDescriptor.Builder descriptor, int requests, RateLimitUnit unit) {
        descriptor.getLimitBuilder().setRequestsPerUnit(requests).setUnit(unit);
        return descriptor;
    }

    static RateLimitRequest.Builder call(RateLimitDescriptor.Builder... descriptors) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("edge");
        for (RateLimitDescriptor.Builder descriptor : descriptors) {
            request.addDescriptors(descriptor);
        }
        return request;
    }

    static List<RateLimitResponse.Code> codes(RateLimitResponse response) {
        return response.getStatusesList().stream()
                .map(RateLimitResponse.DescriptorStatus::getCode)
                .toList();
    }

    static List<Integer> remaining(RateLimitResponse response) {
        return response.getStatusesList().stream()
                .map(RateLimitResponse.DescriptorStatus::getLimitRemaining)
                .toList();
    }

    static Map<String, String> headers(RateLimitResponse response) {
        return response.getResponseHeadersToAddList().stream()
                .collect(Collectors.toMap(HeaderValue::getKey, HeaderValue::getValue));
    }
}
