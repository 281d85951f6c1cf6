package io.sluice.server.resp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code CONFIG GET} and {@code INFO}, which clients send when they connect. */
final class InfoCommands {
    static final String SERVER = "sluice";

    /** The version of Redis whose connection commands are supported. Clients choose their commands by it. */
    static final String REDIS_VERSION = "7.2.0";

    private static final Map<String, String> SETTINGS = Map.of("save", "", "appendonly", "no");

    private InfoCommands() {}

    /** {@code CONFIG GET name ...}. */
    static void config(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (!in.is(1, "GET")) {
            throw new CommandException("ERR unknown subcommand '" + in.display(1) + "' (expected: GET)");
        } else if (in.count() < 3) {
            throw CommandException.arity("config|get");
        }
        List<String> names = new ArrayList<>();
        for (int i = 2; i < in.count(); i++) {
            if (SETTINGS.containsKey(in.display(i))) {
                names.add(in.display(i));
            }
        }
        out.map(names.size());
        for (String name : names) {
            out.bulk(name);
            out.bulk(SETTINGS.getOrDefault(name, ""));
        }
    }

    /** {@code INFO [section ...]}. There is only one section. */
    static void info(RespConnection connection, Arguments in, ReplyWriter out) {
        out.bulk("# Server\r\nserver_name:" + SERVER + "\r\nredis_version:" + REDIS_VERSION
                + "\r\nredis_mode:standalone\r\nprocess_id:"
                + ProcessHandle.current().pid() + "\r\n");
    }
}
