package io.sluice.server.resp;

import java.util.Locale;

/** {@code CLIENT …}: what clients send when they connect. */
final class ClientCommand implements Command {
    @Override
    public void run(RespConnection connection, Arguments in, Replies out) throws CommandException {
        Client client = connection.client;
        String what = in.shown(1).toUpperCase(Locale.ROOT);
        switch (what) {
            case "ID" -> out.integer(client.id);
            case "GETNAME" -> getName(client, out);
            case "SETNAME" -> {
                requireCount(in, what, 3);
                client.name(in.text(2));
                out.ok();
            }
            case "INFO", "LIST" -> out.bulk(client.line());
            // What says something of the client, or asks for what is so anyway.
            case "SETINFO" -> {
                requireCount(in, what, 4);
                out.ok();
            }
            case "NO-EVICT", "NO-TOUCH" -> {
                requireCount(in, what, 3);
                out.ok();
            }
            case "REPLY" -> {
                requireCount(in, what, 3);
                if (!in.is(2, "ON")) {
                    throw new CommandException("ERR CLIENT REPLY " + in.shown(2) + " (expected: ON)");
                }
                out.ok();
            }
            default ->
                throw new CommandException("ERR unknown subcommand '" + in.shown(1)
                        + "' (expected: ID, GETNAME, SETNAME, INFO, LIST, SETINFO, NO-EVICT, NO-TOUCH, REPLY)");
        }
    }

    private static void getName(Client client, Replies out) {
        if (client.name().isEmpty()) {
            out.nil();
        } else {
            out.bulk(client.name());
        }
    }

    private static void requireCount(Arguments in, String what, int count) throws CommandException {
        if (in.count() != count) {
            throw CommandException.arity("client|" + what.toLowerCase(Locale.ROOT));
        }
    }
}
