package io.sluice.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyDecisions;
import io.sluice.policy.PolicyRequest;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.PolicyView;
import io.sluice.server.decide.Checks;
import io.sluice.server.logging.PeerLog;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import io.sluice.server.rls.proto.RateLimitRequest;
import io.sluice.server.rls.proto.RateLimitResponse;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Decides the calls of Envoy. */
final class RateLimitService {
    static final String NAME = "envoy.service.ratelimit.v3.RateLimitService";

    private static final PeerLog LOG = PeerLog.to("io.sluice.server.rls");

    private final Checks checks;
    private final DescriptorMatcher matcher;
    private final OverrideLimits overrides;
    private final boolean legacyHeaders;

    RateLimitService(Checks checks, DescriptorMatcher matcher, OverrideLimits overrides, boolean legacyHeaders) {
        this.checks = checks;
        this.matcher = matcher;
        this.overrides = overrides;
        this.legacyHeaders = legacyHeaders;
    }

    void addTo(GrpcHandler handler) {
        handler.add("/" + NAME + "/ShouldRateLimit", this::shouldRateLimit);
    }

    private void shouldRateLimit(byte[] message, GrpcReply reply) throws InvalidProtocolBufferException {
        RateLimitRequest request = RateLimitRequest.parseFrom(message);
        CallBounds.require(request);
        decide(request).onComplete(reply::answer, failure -> failed(reply, failure));
    }

    /** Decides a call by the policies that it was matched by. */
    private Future<RateLimitResponse> decide(RateLimitRequest request) {
        return checks.check(view -> {
            Call call = new Call(request, view);
            return checks.check(view, call.requests, call.charges).map(call::answer);
        });
    }

    private static void failed(GrpcReply reply, Throwable failure) {
        if (failure instanceof GrpcException known) {
            reply.fail(known.status, String.valueOf(known.getMessage()));
        } else {
            LOG.failure("a call could not be decided", failure);
            reply.fail(GrpcStatus.UNAVAILABLE, "the call could not be decided");
        }
    }

    /** What a call asks, in the order of its descriptors. */
    private final class Call {
        private final RateLimitRequest request;
        private final List<Matched> matched;

        /** Of the descriptors that policies decide. */
        final List<PolicyRequest> requests;

        /** Of those that bring a limit. */
        final List<Charge> charges = new ArrayList<>(0);

        Call(RateLimitRequest request, PolicyView view) {
            this.request = request;
            List<RateLimitDescriptor> descriptors = request.getDescriptorsList();
            matched = matcher.match(view, request.getDomain(), descriptors);
            requests = new ArrayList<>(descriptors.size());
            for (int i = 0; i < descriptors.size(); i++) {
                RateLimitDescriptor descriptor = descriptors.get(i);
                Map<String, String> attributes = matched.get(i).attributes();
                if (isOverridden(i)) {
                    add(i, overrides.charge(request.getDomain(), i, descriptor, hits(descriptor)));
                } else if (attributes != null) {
                    requests.add(new PolicyRequest(attributes, hits(descriptor)));
                }
            }
        }

        private void add(int i, Charge charge) {
            for (Charge other : charges) {
                if (other.key().equals(charge.key()) && !Objects.equals(other.limit(), charge.limit())) {
                    throw GrpcException.invalid("descriptors[" + i + "].limit: " + charge.limit()
                            + ", where another with the same entries brings " + other.limit()
                            + " (expected: one limit for the same entries and unit)");
                }
            }
            charges.add(charge);
        }

        private boolean isOverridden(int i) {
            return request.getDescriptors(i).hasLimit() && matched.get(i).overridable();
        }

        /** What a descriptor says, of which 0 looks; else what the call says, of which 0 is 1. */
        private long hits(RateLimitDescriptor descriptor) {
            if (descriptor.hasHitsAddend()) {
                long said = descriptor.getHitsAddend().getValue();
                return said < 0 ? Long.MAX_VALUE : said;
            }
            return Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
        }

        RateLimitResponse answer(PolicyDecisions decisions) {
            Answer answer = new Answer(legacyHeaders);
            Iterator<PolicyDecision> each = decisions.each().iterator();
            Iterator<Decision> also = decisions.also().iterator();
            Iterator<Charge> charge = charges.iterator();
            for (int i = 0; i < matched.size(); i++) {
                if (isOverridden(i)) {
                    answer.add(overridden(Objects.requireNonNull(charge.next().limit()), also.next()), "");
                } else if (matched.get(i).attributes() != null) {
                    answer.add(each.next(), matched.get(i).name());
                } else {
                    answer.addNothing();
                }
            }
            return answer.build();
        }

        /** As if a policy with the name of the domain had said it. */
        private PolicyDecision overridden(Limit limit, Decision said) {
            PolicyResult result = new PolicyResult(request.getDomain(), Map.of(), limit, Mode.ENFORCE, said);
            return new PolicyDecision(said.allowed(), said.retryAfterMicros(), said.delayMicros(), List.of(result));
        }
    }
}
