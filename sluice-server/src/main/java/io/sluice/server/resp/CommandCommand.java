package io.sluice.server.resp;

import io.sluice.server.resp.Commands.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code COMMAND …}: describes the commands to clients. */
final class CommandCommand implements Command {
    private static final int MAX_NAMES = 128;

    private final Commands commands;

    CommandCommand(Commands commands) {
        this.commands = commands;
    }

    @Override
    public void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (in.count() == 1) {
            out.array(commands.all().size());
            commands.all().forEach(entry -> describe(entry, out));
            return;
        }
        switch (in.display(1).toUpperCase(Locale.ROOT)) {
            case "COUNT" -> out.integer(commands.all().size());
            case "LIST" -> {
                out.array(commands.all().size());
                commands.all().forEach(entry -> out.bulk(entry.name().toLowerCase(Locale.ROOT)));
            }
            case "INFO" -> {
                List<@Nullable Entry> selected = selected(in);
                out.array(selected.size());
                selected.forEach(entry -> describe(entry, out));
            }
            case "DOCS" -> docs(in, out);
            default ->
                throw new CommandException(
                        "ERR unknown subcommand '" + in.display(1) + "' (expected: COUNT, LIST, INFO, DOCS)");
        }
    }

    /** The commands that are named, or all. Their number is bounded, because the reply is much longer than the names. */
    private List<@Nullable Entry> selected(Arguments in) throws CommandException {
        if (in.count() - 2 > MAX_NAMES) {
            throw new CommandException("ERR " + (in.count() - 2) + " commands (expected: at most " + MAX_NAMES + ")");
        }
        if (in.count() == 2) {
            return new ArrayList<>(commands.all());
        }
        List<@Nullable Entry> selected = new ArrayList<>();
        for (int i = 2; i < in.count(); i++) {
            selected.add(commands.find(in.display(i)));
        }
        return selected;
    }

    private static void describe(@Nullable Entry entry, ReplyWriter out) {
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

    private void docs(Arguments in, ReplyWriter out) throws CommandException {
        List<Entry> known = new ArrayList<>();
        for (Entry entry : selected(in)) {
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
