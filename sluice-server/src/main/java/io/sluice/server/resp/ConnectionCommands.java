package io.sluice.server.resp;

import java.util.Locale;

/** The commands of a connection: HELLO, AUTH, RESET, QUIT and SELECT. */
final class ConnectionCommands {
    private final Password password;

    ConnectionCommands(Password password) {
        this.password = password;
    }

    /** {@code HELLO [version [AUTH user password] [SETNAME name]]}. */
    void hello(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        ClientInfo client = connection.client;
        int version = in.count() > 1 ? version(in) : client.protocol();
        String name = client.name();
        for (int i = 2; i < in.count(); i++) {
            if (in.is(i, "AUTH") && i + 2 < in.count()) {
                if (!password.authenticate(connection, in, i + 1)) {
                    return;
                }
                i += 2;
            } else if (in.is(i, "SETNAME") && i + 1 < in.count()) {
                name = in.text(++i);
            } else {
                throw new CommandException(
                        "ERR Syntax error in HELLO option '" + Commands.shortened(in.display(i)) + "'");
            }
        }
        if (!client.isAuthenticated()) {
            throw new CommandException("NOAUTH HELLO wants the password: HELLO <version> AUTH <user> <password>");
        }
        client.name(name);
        client.protocol(version);
        out.protocol(version);
        describe(client, out);
    }

    private static int version(Arguments in) throws CommandException {
        if (!in.isNumber(1)) {
            throw new CommandException("ERR Protocol version is not an integer or out of range");
        }
        long version = in.number(1);
        if (version != 2 && version != 3) {
            throw new CommandException("NOPROTO unsupported protocol version");
        }
        return (int) version;
    }

    private static void describe(ClientInfo client, ReplyWriter out) {
        out.map(7);
        out.bulk("server");
        out.bulk(InfoCommands.SERVER);
        out.bulk("version");
        out.bulk(InfoCommands.REDIS_VERSION);
        out.bulk("proto");
        out.integer(client.protocol());
        out.bulk("id");
        out.integer(client.id);
        out.bulk("mode");
        out.bulk("standalone");
        out.bulk("role");
        out.bulk("master");
        out.bulk("modules");
        out.array(0);
    }

    void auth(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (in.count() > 3) {
            throw new CommandException("ERR syntax error");
        }
        password.auth(connection, in, out);
    }

    void reset(RespConnection connection, Arguments in, ReplyWriter out) {
        connection.client.reset();
        out.protocol(connection.client.protocol());
        out.simple(in.display(0).toUpperCase(Locale.ROOT));
    }

    void quit(RespConnection connection, Arguments in, ReplyWriter out) {
        out.ok();
        connection.finish();
    }

    void select(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (!in.isNumber(1)) {
            throw new CommandException("ERR value is not an integer or out of range");
        } else if (in.number(1) != 0) {
            throw new CommandException("ERR DB index is out of range");
        }
        out.ok();
    }
}
