package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.ListAssert;

/** What tests say about files that are refused or warned of. */
public final class PolicyFileAssertions {
    private PolicyFileAssertions() {}

    /** The problems of a file that is refused, as they are printed. */
    public static ListAssert<String> assertRefused(String yaml) {
        PolicyException refused = catchThrowableOfType(PolicyException.class, () -> Policies.parse(yaml, "test.yaml"));
        assertThat(refused).as("refusal of:%n%s", yaml).isNotNull();
        assertThat(refused.problems()).allMatch(problem -> problem.severity() == Problem.Severity.ERROR);
        assertThat(refused).hasMessage(lines(refused.problems()));
        return assertThat(refused.problems().stream().map(Problem::toString).toList());
    }

    /** The warnings of a file that is not refused, as they are printed. */
    public static ListAssert<String> assertWarned(String yaml) {
        Policies policies = Policies.parse(yaml, "test.yaml");
        assertThat(policies.warnings()).allMatch(problem -> problem.severity() == Problem.Severity.WARNING);
        return assertThat(policies.warnings().stream().map(Problem::toString).toList());
    }

    /** A file of one policy, whose fields stand from line 4, column 5. */
    public static String policy(String... fields) {
        return "version: 1\npolicies:\n  - name: p\n"
                + List.of(fields).stream().map(field -> "    " + field + "\n").collect(Collectors.joining());
    }

    private static String lines(List<Problem> problems) {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }
}
