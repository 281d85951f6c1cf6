package io.sluice.spring.autoconfigure;

import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.SluiceProperties;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Says once, at the start, where permits are counted and which policies there are. */
final class StoreLog {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");

    private StoreLog() {}

    static void memory(SluiceProperties settings) {
        LOG.info(
                settings.store() == SluiceProperties.StoreKind.MEMORY
                        ? "Sluice counts in the memory of this process, as sluice.store says: each replica has its own limits"
                        : "Sluice counts in the memory of this process, because there is no Lettuce connection factory and no"
                                + " sluice.redis.uri: each replica has its own limits");
    }

    static void redis(String where, SluiceProperties settings) {
        LOG.info("Sluice counts in Redis (" + where + ", prefix \""
                + settings.redis().prefix() + "\"): all replicas share the limits");
    }

    static void policies(PolicyEngine engine) {
        LOG.info(
                engine.policies().policies().isEmpty()
                        ? "Sluice has no policies: only @RateLimited and clients limit something"
                        : engine.policies().policies().stream()
                                .map(Policy::name)
                                .collect(Collectors.joining(", ", "Sluice decides by the policies ", "")));
        engine.policies().warnings().forEach(warning -> LOG.warn(warning.message()));
    }
}
