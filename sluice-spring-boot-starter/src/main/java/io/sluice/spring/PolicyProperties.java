package io.sluice.spring;

import io.sluice.OnFailure;
import io.sluice.policy.Charging;
import io.sluice.policy.Mode;
import io.sluice.policy.Scope;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
 */
public record PolicyProperties(
        @Nullable String name,
        @Nullable Map<String, Object> match,
        @Nullable List<String> key,
        @Nullable String limit,
        @Nullable List<Map<String, Object>> overrides,
        @Nullable Map<String, Object> reserve,
        @Nullable Mode mode,
        @Nullable OnFailure onStoreFailure,
        @Nullable Scope scope,
        @Nullable Charging charge) {}
