package io.sluice.spring.method;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.RateLimited;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;

/** Reads the annotation of a method, and refuses what cannot work. */
final class LimitedMethodReader {
    private final ConfigurableBeanFactory beans;
    private final ResultKinds kinds;
    private final MethodLimiters limiters;
    private final Supplier<PolicyEngine> engine;
    private final Supplier<DecisionObserver> observer;
    private final Supplier<TimeSource> time;

    LimitedMethodReader(
            ConfigurableBeanFactory beans,
            ResultKinds kinds,
            MethodLimiters limiters,
            Supplier<PolicyEngine> engine,
            Supplier<DecisionObserver> observer,
            Supplier<TimeSource> time) {
        this.beans = beans;
        this.kinds = kinds;
        this.limiters = limiters;
        this.engine = engine;
        this.observer = observer;
        this.time = time;
    }

    /** @throws io.sluice.spring.SluiceSettingsException if the annotation cannot work on this method */
    LimitedMethod read(AnnotatedMethod method, RateLimited annotation, LimiterNames names) {
        requireProxyable(method);
        CallExpression key = expression(method, "key", annotation.key());
        CallExpression permits = expression(method, "permits", annotation.permits());
        if (permits != null && permits.isLiteral() && CallReader.count(permits.literal()) < 0) {
            throw method.refuse(
                    "permits = \"" + annotation.permits() + "\" (expected: a whole number, at least 0)",
                    "Write a number, or an expression such as #batch.size().");
        }
        ResultKind kind = kinds.of(method);
        return new LimitedMethod(
                method,
                new CallReader(method, key, permits),
                rule(method, annotation, key, names, kind.knowsRequestOf(method.method())),
                kind,
                annotation.fallback().isEmpty() ? null : Fallback.find(method, annotation.fallback()));
    }

    private static void requireProxyable(AnnotatedMethod method) {
        int modifiers = method.method().getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw method.refuse(
                    "the method is private, static or final, so that its calls do not go through the bean (expected: a"
                            + " method that a subclass can override)",
                    "Change the method, or move the annotation.");
        }
    }

    private @Nullable CallExpression expression(AnnotatedMethod method, String attribute, String text) {
        String resolved = resolve(method, attribute, text);
        return resolved.isEmpty() ? null : CallExpression.parse(method, attribute, resolved, beans);
    }

    private Rule rule(
            AnnotatedMethod method,
            RateLimited annotation,
            @Nullable CallExpression key,
            LimiterNames names,
            boolean knowsRequest) {
        String policy = resolve(method, "policy", annotation.policy());
        String limit = resolve(method, "limit", annotation.limit());
        String name = resolve(method, "name", annotation.name());
        Duration maxWait = maxWait(method, resolve(method, "maxWait", annotation.maxWait()));
        if (policy.isEmpty() == limit.isEmpty()) {
            throw method.refuse(
                    policy.isEmpty()
                            ? "neither a policy nor a limit (expected: one of them)"
                            : "policy \"" + policy + "\" and limit \"" + limit + "\" (expected: one of them)",
                    "Write @RateLimited(\"name-of-policy\") or @RateLimited(limit = \"10/s\").");
        }
        if (limit.isEmpty()) {
            if (!name.isEmpty()) {
                throw method.refuse(
                        "name \"" + name + "\" with a policy (expected: name only with limit)", "Remove name.");
            }
            return new PolicyRule(method, policy, key, maxWait, knowsRequest, engine, observer, time);
        }
        return limitRule(method, parse(method, limit), name, maxWait, key != null, names);
    }

    private Rule limitRule(
            AnnotatedMethod method,
            Limit limit,
            String chosen,
            @Nullable Duration maxWait,
            boolean keyed,
            LimiterNames names) {
        String name = chosen.isEmpty() ? method.limiterName() : chosen;
        if (!KeyText.isName(name)) {
            throw method.refuse("name \"" + name + "\" (expected: a name without spaces)", "Remove the spaces.");
        }
        names.add(name, method, !chosen.isEmpty(), limit, maxWait != null);
        if (limit.algorithm().holds()) {
            Supplier<RateLimiter> limiter = limiters.inFlight(name, limit, maxWait != null);
            return new InFlightRule(name, limit, keyed, maxWait, limiter, observer);
        }
        return maxWait == null
                ? new LimitRule(name, limit, keyed, limiters.calls(), observer, time)
                : new WaitingLimitRule(name, keyed, maxWait, limiters.waiting(name, limit), observer);
    }

    private static Limit parse(AnnotatedMethod method, String limit) {
        try {
            return Limit.parse(limit);
        } catch (IllegalArgumentException e) {
            throw method.refuse(
                    "limit = \"" + limit + "\": " + e.getMessage(), "Write a limit such as \"10/s burst 20\".");
        }
    }

    private static @Nullable Duration maxWait(AnnotatedMethod method, String text) {
        if (text.isEmpty()) {
            return null;
        }
        Duration duration;
        try {
            duration = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw wrongWait(method, text);
        }
        if (duration.isNegative()) {
            throw wrongWait(method, text);
        }
        return duration;
    }

    private static RuntimeException wrongWait(AnnotatedMethod method, String text) {
        return method.refuse(
                "maxWait = \"" + text + "\" (expected: a duration, at least 0s)",
                "Write a duration such as 500ms or 2s.");
    }

    private String resolve(AnnotatedMethod method, String attribute, String text) {
        try {
            String resolved = beans.resolveEmbeddedValue(text);
            return resolved == null ? "" : resolved;
        } catch (IllegalArgumentException e) {
            throw method.refuse(
                    attribute + " = \"" + text + "\": " + e.getMessage(),
                    "Set the property, or give a default: ${name:default}.");
        }
    }
}
