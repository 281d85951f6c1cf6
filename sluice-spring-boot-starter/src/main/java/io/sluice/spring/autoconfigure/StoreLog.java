package io.sluice.spring.autoconfigure;

import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.SluiceProperties;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Says once, at the start, where permits are counted and which policies there are. */
final class StoreLog {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");

    private StoreLog() {}

    /** @param factories the Lettuce connection factories of the application */
    static void memory(SluiceProperties settings, List<String> factories) {
        String begin = "Sluice counts in the memory of this process, ";
        String end = ": each replica has its own limits";
        if (settings.store() == SluiceProperties.StoreKind.MEMORY) {
            LOG.info(begin + "as sluice.store says" + end);
        } else if (factories.size() > 1) {
            LOG.warn(begin + "because there are several Lettuce connection factories and none is @Primary ("
                    + String.join(", ", factories) + ")" + end);
        } else {
            LOG.info(begin + "because there is no Lettuce connection factory and no sluice.redis.uri" + end);
        }
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
