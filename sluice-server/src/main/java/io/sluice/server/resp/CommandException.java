package io.sluice.server.resp;

/** A command that is refused. */
final class CommandException extends Exception {
    private final String reply;

    /** @param reply begins with a code, as {@code ERR} */
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
