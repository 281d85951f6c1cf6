package io.sluice.server.resp;

/** What a command does. */
@FunctionalInterface
interface Command {
    /**
     * Writes exactly one reply, or takes a {@link RespConnection#later} for it.
     *
     * @throws CommandException instead of a reply
     */
    void run(RespConnection connection, Arguments in, Replies out) throws CommandException;
}
