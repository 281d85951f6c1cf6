package io.sluice.server.resp;

/** The implementation of a command. */
@FunctionalInterface
interface Command {
    /**
     * Writes exactly one reply, or calls {@link RespConnection#replyLater} for it.
     *
     * @throws CommandException to reply with an error
     */
    void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException;
}
