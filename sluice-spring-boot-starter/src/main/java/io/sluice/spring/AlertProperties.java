package io.sluice.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Name;

/*
 * As with policies, alerts are not read from this record but from the properties themselves. It says to editors which fields there are.
 */
/**
 * An alert, with the fields of a policy file.
 *
 * @param name the name
 * @param when the condition, such as denied / total &gt; 30%
 * @param over the time to look back, such as 5m
 * @param atLeast the minimum number of decisions in that time
 * @param policy the policy whose decisions count; all requests if it is absent
 * @param receivers log
 */
public record AlertProperties(
        @Nullable String name,
        @Nullable String when,
        @Nullable String over,
        @Nullable String atLeast,
        @Nullable String policy,
        @Name("notify") @Nullable List<String> receivers) {}
