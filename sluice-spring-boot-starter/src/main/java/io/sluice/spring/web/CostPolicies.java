package io.sluice.spring.web;

import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.SluiceSettingsException;
import java.util.List;

/** The policies in {@code sluice.web.costs}. */
public final class CostPolicies {
    private CostPolicies() {}

    /**
     * Selects the policies.
     *
     * @throws SluiceSettingsException if there is no policy of a name
     */
    public static PolicySelection of(SluiceProperties.Web settings, PolicyEngine engine) {
        List<String> known =
                engine.policies().policies().stream().map(Policy::name).toList();
        for (String name : settings.costs()) {
            if (!known.contains(name)) {
                throw SluiceSettingsException.unknownPolicy("sluice.web.costs", name, engine.policies());
            }
        }
        return PolicySelection.only(settings.costs().stream().distinct().toArray(String[]::new));
    }
}
