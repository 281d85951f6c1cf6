package io.sluice.cli.docs;

/**
 * A fenced block of a page.
 *
 * @param line where its text begins, counted from 1
 * @param language the word behind the fence
 * @param comment the HTML comment in the line before the fence; empty if there is none
 */
record Block(String page, int line, String language, String comment, String text) {
    private static final String NOT_RUN = "not run: ";

    /** Whether a comment says why the block cannot be run. */
    boolean isNotRun() {
        return comment.startsWith(NOT_RUN) && comment.length() > NOT_RUN.length();
    }

    boolean is(String other) {
        return language.equals(other);
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
