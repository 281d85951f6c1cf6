package io.sluice.server.resp;

import io.sluice.server.decide.RequestBounds;

/**
 * How large a command may be.
 *
 * @param bytes of the whole command, with everything around its arguments
 * @param arguments with the command's name
 * @param before what errors begin with
 */
record CommandBounds(int bytes, int arguments, String before) {
    /** Far more arguments than the largest check has; each costs more memory than its bytes. */
    static final CommandBounds USUAL = new CommandBounds(RequestBounds.BODY, 1024, "");

    private static final int BLOCK = 1024;

    /**
     * For who has not shown the password: what shows it fits, and not much more.
     *
     * @param password bytes of the password; it is rounded, so that the bounds do not tell its length
     */
    static CommandBounds unauthenticated(int password) {
        return new CommandBounds((2 + password / BLOCK) * BLOCK, 10, "unauthenticated: ");
    }
}
