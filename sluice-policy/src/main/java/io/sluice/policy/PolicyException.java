package io.sluice.policy;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when policies are refused. The message has one line for each problem. */
public final class PolicyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    public PolicyException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** The problems, in the order of the text. */
    public List<Problem> problems() {
        return problems;
    }
}
