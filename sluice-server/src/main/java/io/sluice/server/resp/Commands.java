package io.sluice.server.resp;

import io.sluice.server.logging.PeerLog;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands that there are. */
final class Commands {
    private static final int MOST_SHOWN = 128;
    private static final PeerLog LOG = PeerLog.to("io.sluice.server");

    private final Throttle throttle;
    private final Map<String, Entry> byName = new LinkedHashMap<>();

    /**
     * A command.
     *
     * @param arity how many arguments it has, with its name; negative for at least so many
     * @param key where its key is, or 0
     * @param open whether it can be run without a password
     */
    record Entry(String name, int arity, int key, boolean open, String summary, Command command) {
        boolean takes(int count) {
            return arity >= 0 ? count == arity : count >= -arity;
        }
    }

    Commands(Throttle throttle, SluiceCheck check, Password password) {
        this.throttle = throttle;
        Greeting greeting = new Greeting(password);
        add(
                "CL.THROTTLE",
                -1,
                1,
                false,
                "Takes permits of a key if they are there: max_burst count period [quantity]",
                throttle);
        add("SLUICE.CHECK", -2, 0, false, "Decides a request by the policies: permits attribute value ...", check);
        add("PING", -1, 0, false, "Answers PONG, or what is said", Commands::ping);
        add("ECHO", 2, 0, false, "Answers what is said", (connection, in, out) -> out.bulk(in.bytes(1)));
        add("HELLO", -1, 0, true, "Chooses the version of the protocol", greeting::hello);
        add("AUTH", -2, 0, true, "Shows the password", greeting::auth);
        add("RESET", 1, 0, true, "As if just connected", greeting::reset);
        add("QUIT", -1, 0, true, "Ends the connection", greeting::quit);
        add("SELECT", 2, 0, false, "There is database 0 only", greeting::select);
        add("CLIENT", -2, 0, false, "What is known of this connection", new ClientCommand());
        add("COMMAND", -1, 0, false, "The commands that there are", new CommandCommand(this));
        add("CONFIG", -2, 0, false, "Settings that clients ask for", About::config);
        add("INFO", -1, 0, false, "What answers here", About::info);
    }

    private void add(String name, int arity, int key, boolean open, String summary, Command command) {
        byName.put(name, new Entry(name, arity, key, open, summary, command));
    }

    Collection<Entry> all() {
        return byName.values();
    }

    @Nullable
    Entry find(String name) {
        return byName.get(name.toUpperCase(Locale.ROOT));
    }

    /** Runs a command: there is exactly one reply, now or later. */
    void run(RespConnection connection, Arguments in, Replies out) {
        int before = out.size();
        try {
            if (in.is(0, "CL.THROTTLE") && connection.client.isAuthenticated()) {
                throttle.run(connection, in, out);
            } else {
                runByName(connection, in, out);
            }
        } catch (CommandException e) {
            out.cut(before);
            out.error(e.reply());
        } catch (RuntimeException e) {
            LOG.failure("a RESP command failed", e);
            out.cut(before);
            out.error("ERR internal error");
        }
    }

    private void runByName(RespConnection connection, Arguments in, Replies out) throws CommandException {
        String name = in.shown(0);
        Entry entry = find(name);
        if (entry == null && (name.equals("POST") || name.equals("Host:"))) {
            // A browser that was sent here by somebody else's page.
            connection.end();
        }
        if ((entry == null || !entry.open()) && !connection.client.isAuthenticated()) {
            throw new CommandException("NOAUTH Authentication required.");
        } else if (entry == null) {
            throw unknown(in);
        } else if (!entry.takes(in.count())) {
            throw CommandException.arity(name.toLowerCase(Locale.ROOT));
        }
        entry.command().run(connection, in, out);
    }

    private static CommandException unknown(Arguments in) {
        StringBuilder text = new StringBuilder("ERR unknown command '")
                .append(shortened(in.shown(0), MOST_SHOWN))
                .append("', with args beginning with: ");
        int left = MOST_SHOWN;
        for (int i = 1; i < in.count() && left > 0; i++) {
            String argument = shortened(in.shown(i), left);
            text.append('\'').append(argument).append("' ");
            left -= argument.length() + 3;
        }
        return new CommandException(text.toString());
    }

    static String shortened(String text) {
        return shortened(text, MOST_SHOWN);
    }

    private static String shortened(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }

    private static void ping(RespConnection connection, Arguments in, Replies out) throws CommandException {
        if (in.count() > 2) {
            throw CommandException.arity("ping");
        } else if (in.count() == 2) {
            out.bulk(in.bytes(1));
        } else {
            out.simple("PONG");
        }
    }
}
