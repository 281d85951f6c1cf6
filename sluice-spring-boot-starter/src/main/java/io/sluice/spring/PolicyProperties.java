package io.sluice.spring;

import io.sluice.OnFailure;
import io.sluice.policy.Charging;
import io.sluice.policy.Mode;
import io.sluice.policy.Scope;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Name;

/*
 * Policies are not read from this record but from the properties themselves, so that an unknown field is refused as in a policy
 * file. The record says to editors which fields there are, and by its enums which values.
 */
/**
 * A policy, with the fields of a policy file.
 *
 * @param name the name in results and metrics
 * @param match conditions on attributes, which must all hold
 * @param key the attributes whose values are the key
 * @param limit the limit of each key
 * @param overrides other limits for some requests; the first that matches applies
 * @param reserve the share of the limit that is kept for some requests
 * @param mode enforce, shadow or off
 * @param onStoreFailure allow, deny or local
 * @param scope shared or process
 * @param charge admitted or always
 * @param adapt how the limits follow what this process measures; only with scope process
 */
public record PolicyProperties(
        @Nullable String name,
        @Nullable Map<String, Object> match,
        @Nullable List<String> key,
        @Nullable String limit,
        @Nullable List<LimitOverride> overrides,
        @Nullable Reserve reserve,
        @Nullable Mode mode,
        @Nullable OnFailure onStoreFailure,
        @Nullable Scope scope,
        @Nullable Charging charge,
        @Nullable Adapt adapt) {

    /**
     * Another limit for some requests.
     *
     * @param name the name, by which the use of its keys is kept when its match changes
     * @param match conditions on attributes, which must all hold
     * @param limit the limit of each key
     */
    public record LimitOverride(
            @Nullable String name,
            @Nullable Map<String, Object> match,
            @Nullable String limit) {}

    /**
     * A share of the limit that is kept for some requests.
     *
     * @param share the share, such as 20%
     * @param requests conditions on the attributes of these requests, which must all hold
     */
    public record Reserve(
            @Nullable String share, @Name("for") @Nullable Map<String, Object> requests) {}

    /**
     * How the limits of a policy follow a signal.
     *
     * @param signal cpu, latency, errors, or the name of a bean of type DoubleSupplier
     * @param percentile the percentile of the latency, such as 99
     * @param target the latency that counts as 100%, such as 250ms
     * @param above the limits fall while the signal is above this, such as 80%
     * @param below the limits rise while the signal is below this, such as 50%
     * @param down what the limits are multiplied by to fall, such as 0.5
     * @param up what the limits are multiplied by to rise, such as 1.5
     * @param between the smallest and the largest factor, such as 20% and 150%
     * @param every how often the limits may change, such as 1s
     */
    public record Adapt(
            @Nullable String signal,
            @Nullable String percentile,
            @Nullable String target,
            @Nullable String above,
            @Nullable String below,
            @Nullable String down,
            @Nullable String up,
            @Nullable List<String> between,
            @Nullable String every) {}
}
