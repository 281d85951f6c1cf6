package io.sluice.server.resp;

/** A command that is refused; its message is the error reply, with the code that it begins with. */
final class CommandException extends Exception {
    CommandException(String message) {
        super(message, null, false, false);
    }

    static CommandException arity(String command) {
        return new CommandException("ERR wrong number of arguments for '" + command + "' command");
    }
}
