package io.sluice.spring;

/** Thrown at the start of an application if its settings or annotations cannot work. The failure analyzer prints it. */
public final class SluiceSettingsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    /**
     * Creates an exception.
     *
     * @param problem what was given, where, and what was expected
     * @param action what to do
     */
    public SluiceSettingsException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    /** What to do. */
    public String action() {
        return action;
    }
}
