package io.sluice.spring;

import io.sluice.policy.PolicyDecision;
import java.util.concurrent.CompletionStage;

/**
 * Charges the HTTP request that this thread answers for costs that are known only afterwards, such as the tokens of a language model.
 * A bean of applications on the servlet stack; on WebFlux it is {@code io.sluice.spring.cost.ReactiveSluice}.
 *
 * <p>The policies in {@code sluice.web.costs} are charged. The filter only looks at them when the request arrives: it is denied while
 * they are in debt. All other policies stay as they are. Without that setting, all policies that the filter decides are charged,
 * besides the permit that the filter has taken.
 *
 * <pre>{@code
 * @PostMapping("/answers")
 * Answer answer(@RequestBody Question question) {
 *     Answer answer = model.answer(question);
 *     sluice.charge(answer.tokens());
 *     return answer;
 * }
 * }</pre>
 *
 * <p>All methods throw {@link IllegalStateException} if this thread does not answer a request. Thread-safe.
 */
public interface Sluice {
    /**
     * Charges a cost now, whatever is left. May block for a round trip to the store.
     *
     * @param permits the cost, at least 0
     * @return the decision of a request for 0 permits right after it: denied while in debt
     */
    PolicyDecision charge(long permits);

    /** {@link #charge} without blocking. */
    CompletionStage<PolicyDecision> chargeAsync(long permits);

    /** A cost that grows while the request is answered. It is charged when the response is done. */
    RequestCost cost();

    /**
     * Charges an estimate now, and replaces it by the true cost when the response is done, whether it is complete, failed, was
     * cancelled or timed out: more is charged then, into debt, and less goes back. May block for a round trip to the store.
     *
     * <pre>{@code
     * RequestCost cost = sluice.reserve(question.maxTokens());
     * cost.add(model.answer(question).tokens());
     * }</pre>
     *
     * @param estimate what the request will probably cost, at least 0
     * @return the true cost: what is added to it until the end, 0 if nothing is
     * @throws io.sluice.RateLimitedException if the estimate is denied. Then nothing was charged. If it leaves a controller, the
     *     response is 429.
     */
    RequestCost reserve(long estimate);
}
