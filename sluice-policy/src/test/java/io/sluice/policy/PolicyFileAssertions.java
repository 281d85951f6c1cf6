package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.ListAssert;

/** Assertions on the problems of policy files. */
public final class PolicyFileAssertions {
    private PolicyFileAssertions() {}

    /** Asserts that a file is refused, and returns its problems as texts. */
    public static ListAssert<String> assertRefused(String yaml) {
        PolicyException refused = catchThrowableOfType(PolicyException.class, () -> Policies.parse(yaml, "test.yaml"));
        assertThat(refused).as("refusal of:%n%s", yaml).isNotNull();
        assertThat(refused.problems()).allMatch(problem -> problem.severity() == Problem.Severity.ERROR);
        assertThat(refused).hasMessage(lines(refused.problems()));
        return assertThat(refused.problems().stream().map(Problem::toString).toList());
    }

    /** Reads a valid file, and returns its warnings as texts. */
    public static ListAssert<String> assertWarned(String yaml) {
        Policies policies = Policies.parse(yaml, "test.yaml");
        assertThat(policies.warnings()).allMatch(problem -> problem.severity() == Problem.Severity.WARNING);
        return assertThat(policies.warnings().stream().map(Problem::toString).toList());
    }

    /** A file with one policy, whose fields begin at line 4, column 5. */
    public static String policy(String... fields) {
        return "version: 1\npolicies:\n  - name: p\n"
                + List.of(fields).stream().map(field -> "    " + field + "\n").collect(Collectors.joining());
    }

    private static String lines(List<Problem> problems) {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }
}
