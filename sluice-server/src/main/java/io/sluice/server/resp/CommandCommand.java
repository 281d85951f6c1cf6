package io.sluice.server.resp;

import io.sluice.server.resp.Commands.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code COMMAND …}: how clients find out what can be asked. */
final class CommandCommand implements Command {
    private static final int MOST_ASKED = 128;

    private final Commands commands;

    CommandCommand(Commands commands) {
        this.commands = commands;
    }

    @Override
    public void run(RespConnection connection, Arguments in, Replies out) throws CommandException {
        if (in.count() == 1) {
            out.array(commands.all().size());
            commands.all().forEach(entry -> describe(entry, out));
            return;
        }
        switch (in.shown(1).toUpperCase(Locale.ROOT)) {
            case "COUNT" -> out.integer(commands.all().size());
            case "LIST" -> {
                out.array(commands.all().size());
                commands.all().forEach(entry -> out.bulk(entry.name().toLowerCase(Locale.ROOT)));
            }
            case "INFO" -> {
                List<@Nullable Entry> asked = asked(in);
                out.array(asked.size());
                asked.forEach(entry -> describe(entry, out));
            }
            case "DOCS" -> docs(in, out);
            default ->
                throw new CommandException(
                        "ERR unknown subcommand '" + in.shown(1) + "' (expected: COUNT, LIST, INFO, DOCS)");
        }
    }

    /** Those named, or all. A short name has a long answer, so there are not many. */
    private List<@Nullable Entry> asked(Arguments in) throws CommandException {
        if (in.count() - 2 > MOST_ASKED) {
            throw new CommandException("ERR " + (in.count() - 2) + " commands (expected: at most " + MOST_ASKED + ")");
        }
        if (in.count() == 2) {
            return new ArrayList<>(commands.all());
        }
        List<@Nullable Entry> asked = new ArrayList<>();
        for (int i = 2; i < in.count(); i++) {
            asked.add(commands.find(in.shown(i)));
        }
        return asked;
    }

    private static void describe(@Nullable Entry entry, Replies out) {
        if (entry == null) {
            out.nil();
            return;
        }
        out.array(10);
        out.bulk(entry.name().toLowerCase(Locale.ROOT));
        out.integer(entry.arity());
        out.array(1);
        out.simple(entry.key() > 0 ? "write" : "fast");
        // First key, last key, step.
        out.integer(entry.key());
        out.integer(entry.key());
        out.integer(entry.key());
        // Categories, tips, key specifications, subcommands.
        for (int i = 0; i < 4; i++) {
            out.array(0);
        }
    }

    private void docs(Arguments in, Replies out) throws CommandException {
        List<Entry> known = new ArrayList<>();
        for (Entry entry : asked(in)) {
            if (entry != null) {
                known.add(entry);
            }
        }
        out.map(known.size());
        for (Entry entry : known) {
            out.bulk(entry.name().toLowerCase(Locale.ROOT));
            out.map(2);
            out.bulk("summary");
            out.bulk(entry.summary());
            out.bulk("group");
            out.bulk(entry.key() > 0 ? "module" : "connection");
        }
    }
}
