package io.sluice.compatibility;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips all tests if the server that they are for is not there, and says so. */
public final class ServerCondition implements ExecutionCondition {
    private static final AtomicBoolean SAID = new AtomicBoolean();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String binary = System.getProperty("sluice.redis.binary");
        if (binary == null || Files.isExecutable(Path.of(binary))) {
            return ConditionEvaluationResult.enabled("the server is there");
        }
        String reason = "skipped: no " + System.getProperty("sluice.server.name") + " 8 ("
                + Path.of(binary).normalize() + "); scripts/install-valkey gets it where it can";
        if (!SAID.getAndSet(true)) {
            System.out.println("[WARNING] compatibility/servers " + reason);
        }
        return ConditionEvaluationResult.disabled(reason);
    }
}
