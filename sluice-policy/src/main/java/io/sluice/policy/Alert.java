package io.sluice.policy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says when something is wrong.
 *
 * @param name by which it is told
 * @param policy whose decisions it watches; null for those of all requests
 * @param when what is wrong
 * @param over the time that is looked back on
 * @param atLeast how many decisions there must be in that time
 * @param tell who is told, the file's {@code notify}: {@code log}, or where the service posts to
 */
public record Alert(
        String name, @Nullable String policy, AlertCondition when, Duration over, long atLeast, List<String> tell) {
    public Alert {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(when, "when");
        Objects.requireNonNull(over, "over");
        tell = List.copyOf(tell);
    }
}
