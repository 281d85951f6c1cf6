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
import io.sluice.server.decide.RequestDecider;
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

/** The rate limit service that Envoy calls. */
final class RateLimitService {
    static final String NAME = "envoy.service.ratelimit.v3.RateLimitService";

    private static final PeerLog LOG = PeerLog.to("io.sluice.server.rls");

    private final RequestDecider decider;
    private final DescriptorMatcher matcher;
    private final OverrideLimits overrides;
    private final boolean legacyHeaders;

    RateLimitService(
            RequestDecider decider, DescriptorMatcher matcher, OverrideLimits overrides, boolean legacyHeaders) {
        this.decider = decider;
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

    /** Matches and decides a call with the same version of the policies. */
    private Future<RateLimitResponse> decide(RateLimitRequest request) {
        return decider.check(view -> {
            Call call = new Call(request, view);
            return decider.check(view, call.requests, call.charges).map(call::answer);
        });
    }

    private static void failed(GrpcReply reply, Throwable failure) {
        if (failure instanceof GrpcException known) {
            reply.fail(known.status, String.valueOf(known.getMessage()));
        } else {
            LOG.error("a call could not be decided", failure);
            reply.fail(GrpcStatus.UNAVAILABLE, "the call could not be decided");
        }
    }

    /** A call, as requests to the policies and charges, in the order of its descriptors. */
    private final class Call {
        private final RateLimitRequest request;
        private final List<DescriptorMatch> matches;

        /** One for each descriptor that the policies decide. */
        final List<PolicyRequest> requests;

        /** One for each descriptor that comes with a limit. */
        final List<Charge> charges = new ArrayList<>(0);

        Call(RateLimitRequest request, PolicyView view) {
            this.request = request;
            List<RateLimitDescriptor> descriptors = request.getDescriptorsList();
            matches = matcher.match(view, request.getDomain(), descriptors);
            requests = new ArrayList<>(descriptors.size());
            for (int i = 0; i < descriptors.size(); i++) {
                RateLimitDescriptor descriptor = descriptors.get(i);
                Map<String, String> attributes = matches.get(i).attributes();
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
            return request.getDescriptors(i).hasLimit() && matches.get(i).overridable();
        }

        /** The permits of the descriptor, where 0 takes nothing; else those of the call, where 0 means 1. */
        private long hits(RateLimitDescriptor descriptor) {
            if (descriptor.hasHitsAddend()) {
                long hits = descriptor.getHitsAddend().getValue();
                return hits < 0 ? Long.MAX_VALUE : hits;
            }
            return Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
        }

        RateLimitResponse answer(PolicyDecisions decisions) {
            ResponseBuilder response = new ResponseBuilder(legacyHeaders);
            Iterator<PolicyDecision> each = decisions.each().iterator();
            Iterator<Decision> also = decisions.also().iterator();
            Iterator<Charge> charge = charges.iterator();
            for (int i = 0; i < matches.size(); i++) {
                if (isOverridden(i)) {
                    response.add(overridden(Objects.requireNonNull(charge.next().limit()), also.next()), "");
                } else if (matches.get(i).attributes() != null) {
                    response.add(each.next(), matches.get(i).name());
                } else {
                    response.addUnlimited();
                }
            }
            return response.build();
        }

        /** The decision as that of a policy with the name of the domain. */
        private PolicyDecision overridden(Limit limit, Decision decision) {
            PolicyResult result = new PolicyResult(request.getDomain(), Map.of(), limit, Mode.ENFORCE, decision);
            return new PolicyDecision(
                    decision.allowed(), decision.retryAfterMicros(), decision.delayMicros(), List.of(result));
        }
    }
}
