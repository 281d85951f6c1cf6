package io.sluice.spring.web;

import io.sluice.policy.PolicyDecision;
import java.util.concurrent.CompletionStage;

/**
 * A request that enters on a reactive stack.
 *
 * @param decision the decision, as the observer returns it
 * @param entering knows what the request holds
 */
public record WebEntry(CompletionStage<PolicyDecision> decision, Entering entering) {
    /** Releases what the request holds. Only the first call counts. */
    public void leave() {
        entering.leave();
    }

    /** The scope that the request is answered in. What the request holds is released when that ends. */
    public RequestScope scope(RequestAttributes attributes, PolicyDecision decided) {
        RequestScope scope = new RequestScope(attributes, decided);
        scope.onEnd(end -> leave());
        return scope;
    }
}
