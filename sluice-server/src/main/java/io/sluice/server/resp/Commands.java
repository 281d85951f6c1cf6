package io.sluice.server.resp;

import io.sluice.server.decide.RequestDecider;
import io.sluice.server.logging.PeerLog;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of commands. */
final class Commands {
    private static final int MAX_LENGTH = 128;
    private static final PeerLog LOG = PeerLog.to("io.sluice.server");

    private final ThrottleCommand throttle;
    private final Map<String, Entry> byName = new LinkedHashMap<>();

    /**
     * A command with its description.
     *
     * @param arity the number of arguments, including the name; negative for a minimum
     * @param key the index of the argument that is the key; 0 if there is none
     * @param open whether it runs without authentication
     */
    record Entry(String name, int arity, int key, boolean open, String summary, Command command) {
        boolean accepts(int count) {
            return arity >= 0 ? count == arity : count >= -arity;
        }
    }

    Commands(ThrottleCommand throttle, RequestDecider decider, Password password) {
        this.throttle = throttle;
        ConnectionCommands connections = new ConnectionCommands(password);
        add(
                "CL.THROTTLE",
                -1,
                1,
                false,
                "Takes permits of a key if they are available: max_burst count period [quantity]",
                throttle);
        add(
                "SLUICE.CHECK",
                -2,
                0,
                false,
                "Decides a request by the policies: permits attribute value ...",
                new CheckCommand("sluice.check", decider::enter, decider));
        add(
                "SLUICE.CHARGE",
                -2,
                0,
                false,
                "Charges a cost to the policies, whatever is left: permits attribute value ...",
                new CheckCommand("sluice.charge", decider::charge, decider));
        add(
                "SLUICE.RESERVE",
                -2,
                0,
                false,
                "Charges an estimate to the policies, to be settled later: permits [ttl] attribute value ...",
                new ReserveCommand(decider));
        add(
                "SLUICE.SETTLE",
                3,
                0,
                false,
                "Replaces an estimate by what was really used: reservation permits",
                new SettleCommand(decider));
        add("SLUICE.RELEASE", 2, 0, false, "Gives back what a check holds: holds", new HoldCommand(decider::release));
        add("SLUICE.RENEW", 2, 0, false, "Keeps what a check holds: holds", new HoldCommand(decider::renew));
        add("PING", -1, 0, false, "Replies with PONG or with its argument", Commands::ping);
        add("ECHO", 2, 0, false, "Replies with its argument", (connection, in, out) -> out.bulk(in.bytes(1)));
        add("HELLO", -1, 0, true, "Chooses the protocol version", connections::hello);
        add("AUTH", -2, 0, true, "Authenticates the connection", connections::auth);
        add("RESET", 1, 0, true, "Resets the connection", connections::reset);
        add("QUIT", -1, 0, true, "Closes the connection", connections::quit);
        add("SELECT", 2, 0, false, "Selects a database; there is only 0", connections::select);
        add("CLIENT", -2, 0, false, "Information about this connection", new ClientCommand());
        add("COMMAND", -1, 0, false, "Describes the commands", new CommandCommand(this));
        add("CONFIG", -2, 0, false, "Reads settings that clients ask for", InfoCommands::config);
        add("INFO", -1, 0, false, "Information about the server", InfoCommands::info);
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

    /** Runs a command. There is exactly one reply, now or later. */
    void run(RespConnection connection, Arguments in, ReplyWriter out) {
        int before = out.size();
        try {
            if (in.is(0, "CL.THROTTLE") && connection.client.isAuthenticated()) {
                throttle.run(connection, in, out);
            } else {
                runByName(connection, in, out);
            }
        } catch (CommandException e) {
            out.removeFrom(before);
            out.error(e.reply());
        } catch (RuntimeException e) {
            LOG.error("a RESP command failed", e);
            out.removeFrom(before);
            out.error("ERR internal error");
        }
    }

    private void runByName(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        String name = in.display(0);
        Entry entry = find(name);
        if (entry == null && (name.equals("POST") || name.equals("Host:"))) {
            // A browser sends this if a web page attacks the port.
            connection.finish();
        }
        if ((entry == null || !entry.open()) && !connection.client.isAuthenticated()) {
            throw new CommandException("NOAUTH Authentication required.");
        } else if (entry == null) {
            throw unknown(in);
        } else if (!entry.accepts(in.count())) {
            throw CommandException.arity(name.toLowerCase(Locale.ROOT));
        }
        entry.command().run(connection, in, out);
    }

    private static CommandException unknown(Arguments in) {
        StringBuilder text = new StringBuilder("ERR unknown command '")
                .append(shortened(in.display(0), MAX_LENGTH))
                .append("', with args beginning with: ");
        int left = MAX_LENGTH;
        for (int i = 1; i < in.count() && left > 0; i++) {
            String argument = shortened(in.display(i), left);
            text.append('\'').append(argument).append("' ");
            left -= argument.length() + 3;
        }
        return new CommandException(text.toString());
    }

    static String shortened(String text) {
        return shortened(text, MAX_LENGTH);
    }

    private static String shortened(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }

    private static void ping(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (in.count() > 2) {
            throw CommandException.arity("ping");
        } else if (in.count() == 2) {
            out.bulk(in.bytes(1));
        } else {
            out.simple("PONG");
        }
    }
}
