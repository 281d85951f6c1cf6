package io.sluice.spring;

import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.Suggestion;
import java.util.List;

/** Thrown at the start of an application if its settings or annotations cannot work. The failure analyzer prints it. */
public final class SluiceSettingsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    /**
     * Creates an exception.
     *
     * @param problem what was given, where, and what was expected
     * @param action what to do
     */
    public SluiceSettingsException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    /**
     * There is no policy of this name. Names the policies that there are, and the nearest of them.
     *
     * @param where the setting or the annotation that names the policy
     */
    public static SluiceSettingsException unknownPolicy(String where, String name, Policies policies) {
        List<String> names = policies.policies().stream().map(Policy::name).toList();
        String nearest = Suggestion.nearest(name, names);
        return new SluiceSettingsException(
                where + ": there is no policy \"" + name + "\" (expected: "
                        + (names.isEmpty() ? "a policy, but there are none" : "one of " + String.join(", ", names))
                        + ")",
                nearest == null
                        ? "Add the policy to sluice.policies or to the file of sluice.config, or correct its name."
                        : "Did you mean \"" + nearest + "\"?");
    }

    /** What to do. */
    public String action() {
        return action;
    }
}
