package io.sluice.cli.docs;

/** Runs compiled Java blocks in a process of its own, which ends with everything that the blocks leave open. */
final class JavaRunner {
    /** Precedes the name of a class that failed. */
    static final String FAILED = "FAILED ";

    private JavaRunner() {}

    /**
     * Runs blocks, and prints a line for each that fails.
     *
     * @param classes names of subclasses of {@link Surroundings}
     */
    public static void main(String... classes) {
        for (String name : classes) {
            try {
                Class.forName(name)
                        .asSubclass(Surroundings.class)
                        .getConstructor()
                        .newInstance()
                        .run();
            } catch (Throwable e) {
                System.out.println(FAILED + name + " " + (e.getCause() == null ? e : e.getCause()));
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
