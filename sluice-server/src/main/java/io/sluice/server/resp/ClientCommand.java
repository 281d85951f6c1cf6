package io.sluice.server.resp;

import java.util.Locale;

/** {@code CLIENT …}: the subcommands that clients send when they connect. */
final class ClientCommand implements Command {
    @Override
    public void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        ClientInfo client = connection.client;
        String subcommand = in.display(1).toUpperCase(Locale.ROOT);
        switch (subcommand) {
            case "ID" -> out.integer(client.id);
            case "GETNAME" -> getName(client, out);
            case "SETNAME" -> {
                requireCount(in, subcommand, 3);
                client.name(in.text(2));
                out.ok();
            }
            case "INFO", "LIST" -> out.bulk(client.listLine());
            // These have no effect here.
            case "SETINFO" -> {
                requireCount(in, subcommand, 4);
                out.ok();
            }
            case "NO-EVICT", "NO-TOUCH" -> {
                requireCount(in, subcommand, 3);
                out.ok();
            }
            case "REPLY" -> {
                requireCount(in, subcommand, 3);
                if (!in.is(2, "ON")) {
                    throw new CommandException("ERR CLIENT REPLY " + in.display(2) + " (expected: ON)");
                }
                out.ok();
            }
            default ->
                throw new CommandException("ERR unknown subcommand '" + in.display(1)
                        + "' (expected: ID, GETNAME, SETNAME, INFO, LIST, SETINFO, NO-EVICT, NO-TOUCH, REPLY)");
        }
    }

    private static void getName(ClientInfo client, ReplyWriter out) {
        if (client.name().isEmpty()) {
            out.nil();
        } else {
            out.bulk(client.name());
        }
    }

    private static void requireCount(Arguments in, String subcommand, int count) throws CommandException {
        if (in.count() != count) {
            throw CommandException.arity("client|" + subcommand.toLowerCase(Locale.ROOT));
        }
    }
}
