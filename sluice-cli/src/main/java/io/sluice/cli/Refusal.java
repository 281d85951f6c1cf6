package io.sluice.cli;

/** What the user gave cannot be used. The message is one line that says what was wrong and what was expected. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
        super(message);
    }
}
