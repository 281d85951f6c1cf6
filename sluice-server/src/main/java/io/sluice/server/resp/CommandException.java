package io.sluice.server.resp;

/** Ends a command with an error reply. */
final class CommandException extends Exception {
    private final String reply;

    /** @param reply begins with an error code such as {@code ERR} */
    CommandException(String reply) {
        super(reply, null, false, false);
        this.reply = reply;
    }

    static CommandException arity(String command) {
        return new CommandException("ERR wrong number of arguments for '" + command + "' command");
    }

    String reply() {
        return reply;
    }
}
