package io.sluice.server.resp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What clients want to know of a server before they trust it. */
final class About {
    static final String SERVER = "sluice";

    /** The Redis whose way of connecting is spoken: clients choose by it what to say. */
    static final String REDIS_VERSION = "7.2.0";

    private static final Map<String, String> SETTINGS = Map.of("save", "", "appendonly", "no");

    private About() {}

    /** {@code CONFIG GET name ...}. */
    static void config(RespConnection connection, Arguments in, Replies out) throws CommandException {
        if (!in.is(1, "GET")) {
            throw new CommandException("ERR unknown subcommand '" + in.shown(1) + "' (expected: GET)");
        } else if (in.count() < 3) {
            throw CommandException.arity("config|get");
        }
        List<String> asked = new ArrayList<>();
        for (int i = 2; i < in.count(); i++) {
            if (SETTINGS.containsKey(in.shown(i))) {
                asked.add(in.shown(i));
            }
        }
        out.map(asked.size());
        for (String name : asked) {
            out.bulk(name);
            out.bulk(SETTINGS.getOrDefault(name, ""));
        }
    }

    /** {@code INFO [section ...]}: there is one section. */
    static void info(RespConnection connection, Arguments in, Replies out) {
        out.bulk("# Server\r\nserver_name:" + SERVER + "\r\nredis_version:" + REDIS_VERSION
                + "\r\nredis_mode:standalone\r\nprocess_id:"
                + ProcessHandle.current().pid() + "\r\n");
    }
}
