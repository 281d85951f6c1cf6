package io.sluice.server.resp;

import io.sluice.server.decide.RequestBounds;

/**
 * The maximum size of a command.
 *
 * @param bytes of the whole command
 * @param arguments the number of arguments, including the name of the command
 * @param errorPrefix the prefix of error messages
 */
record CommandBounds(int bytes, int arguments, String errorPrefix) {
    /** Far more arguments than the largest check has. An argument costs more memory than its bytes. */
    static final CommandBounds DEFAULT = new CommandBounds(RequestBounds.BODY, 1024, "");

    private static final int BLOCK = 1024;

    /**
     * The bounds for a client without authentication: a command with the password fits, and not much more.
     *
     * @param password the bytes of the password; rounded, so that the bounds do not reveal its length
     */
    static CommandBounds unauthenticated(int password) {
        return new CommandBounds((2 + password / BLOCK) * BLOCK, 10, "unauthenticated: ");
    }
}
