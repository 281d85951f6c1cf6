package io.sluice.policy.yaml;

import io.sluice.policy.PolicyException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/*
 * Nodes are built from the events of the library, not from its nodes, because events come one by one and without
 * recursion. So the reader stops at the first event that exceeds a bound, whether a hostile file is deep, or long, or
 * short and full of aliases.
 */
/** Reads YAML into nodes. Errors become problems with a position. Invalid YAML, or too much of it, ends the reading. */
public final class YamlReader {
    /** The maximum depth of nested lists and mappings. */
    static final int MAX_DEPTH = 32;

    /** The maximum number of nodes. A long text counts as several nodes, and an aliased node counts for each use. */
    static final long MAX_NODES = 2_000_000;

    private static final long CHARACTERS_PER_NODE = 8;
    private static final String CORE = "tag:yaml.org,2002:";
    private static final Set<String> SCALAR_TAGS =
            Set.of("!", CORE + "str", CORE + "int", CORE + "float", CORE + "bool", CORE + "null");

    private final String text;
    private final Problems problems;
    private final Map<String, Anchored> anchors = new HashMap<>();
    private final Deque<YamlCollectionBuilder> open = new ArrayDeque<>();
    private @Nullable YamlNode root;
    private SourcePosition last = SourcePosition.START;
    private int documents;
    private long nodes;

    private YamlReader(String text, Problems problems) {
        this.text = text;
        this.problems = problems;
    }

    /**
     * Reads the only document of a file; null if the file is empty.
     *
     * @throws PolicyException if the file cannot be read to its end
     */
    public static @Nullable YamlNode read(String yaml, Problems problems) {
        return new YamlReader(YamlText.checked(yaml, problems), problems).read();
    }

    private @Nullable YamlNode read() {
        // One buffer for the whole text: with a small buffer, the library copies a long scalar again for every piece.
        LoadSettings settings = LoadSettings.builder()
                .setBufferSize(text.length() + 2)
                .setCodePointLimit(Integer.MAX_VALUE)
                .setParseComments(false)
                .build();
        // Not the library's class Parse, which does the same: its package is not exported, so nobody sees it on a
        // module path.
        Iterator<Event> events = new ParserImpl(settings, new StreamReader(settings, text));
        for (Event event = next(events); event != null; event = next(events)) {
            last = position(event.getStartMark());
            switch (event.getEventId()) {
                case DocumentStart -> startDocument();
                case Alias -> alias((AliasEvent) event);
                case Scalar -> scalar((ScalarEvent) event);
                case SequenceStart ->
                    start((CollectionStartEvent) event, CORE + "seq", new YamlCollectionBuilder.ListBuilder(last));
                case MappingStart ->
                    start((CollectionStartEvent) event, CORE + "map", new YamlCollectionBuilder.MappingBuilder(last));
                case SequenceEnd, MappingEnd -> end();
                default -> {}
            }
        }
        return root;
    }

    private @Nullable Event next(Iterator<Event> events) {
        try {
            return events.hasNext() ? events.next() : null;
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
            SourcePosition start = e.getContextMark().isPresent() ? position(e.getContextMark()) : null;
            throw YamlSyntaxError.report(e, mark.isPresent() ? position(mark) : last, start, text, problems);
        } catch (YamlVersionException e) {
            throw problems.fatal(
                    last, "not YAML: a %YAML directive of another version (expected: 1.2, or no directive)");
        } catch (RuntimeException e) {
            // A bug of the library: it has no position.
            throw problems.fatal(last, "not YAML: " + e.getMessage());
        }
    }

    private void startDocument() {
        if (++documents > 1) {
            throw problems.fatal(last, "a second document (expected: one)");
        }
    }

    private void start(CollectionStartEvent event, String tag, YamlCollectionBuilder collection) {
        if (open.size() == MAX_DEPTH) {
            throw tooDeep();
        }
        collection.nodesBefore = nodes;
        count(1);
        event.getTag().filter(found -> !found.equals("!") && !found.equals(tag)).ifPresent(this::refuseTag);
        collection.anchored = anchored(event);
        open.push(collection);
    }

    private void end() {
        YamlCollectionBuilder collection = open.pop();
        YamlNode node = collection.close();
        int height = collection.height + 1;
        if (collection.anchored != null) {
            collection.anchored.hold(node, nodes - collection.nodesBefore, height);
        }
        add(node, height);
    }

    private void add(YamlNode node, int height) {
        YamlCollectionBuilder parent = open.peek();
        if (parent == null) {
            root = node;
        } else {
            parent.height = Math.max(parent.height, height);
            parent.add(node, problems);
        }
    }

    private void scalar(ScalarEvent event) {
        String tag = event.getTag().orElse(null);
        if (tag != null && !SCALAR_TAGS.contains(tag)) {
            refuseTag(tag);
        }
        boolean quoted = event.isSQuoted() || event.isDQuoted();
        boolean isText = !event.isPlain() || (tag != null && (tag.equals("!") || tag.equals(CORE + "str")));
        String value = event.getValue();
        SourcePosition end = position(event.getEndMark());
        int width = value.codePointCount(0, value.length()) + (quoted ? 2 : 0);
        // If it is as wide as its text, it is on one line, without escapes and without an anchor or a tag before it.
        boolean literal = end.line() == last.line() && end.column() - last.column() == width;
        YamlNode node = new YamlNode.Scalar(last, value, !isText, literal ? last.plus(quoted ? 1 : 0) : null);
        long weight = 1 + value.length() / CHARACTERS_PER_NODE;
        count(weight);
        Anchored anchored = anchored(event);
        if (anchored != null) {
            anchored.hold(node, weight, 0);
        }
        add(node, 0);
    }

    private void alias(AliasEvent event) {
        String name = event.getAlias().getValue();
        Anchored anchored = anchors.get(name);
        if (anchored == null) {
            throw problems.fatal(last, "*" + name + " (expected: an alias of an anchor before it)");
        }
        YamlNode node = anchored.node;
        if (node == null) {
            throw problems.fatal(last, "*" + name + " inside of &" + name + " (expected: no alias of itself)");
        }
        if (open.size() + anchored.height > MAX_DEPTH) {
            throw tooDeep();
        }
        count(anchored.weight);
        add(node, anchored.height);
    }

    private @Nullable Anchored anchored(NodeEvent event) {
        Anchor anchor = event.getAnchor().orElse(null);
        if (anchor == null) {
            return null;
        }
        Anchored anchored = new Anchored();
        anchors.put(anchor.getValue(), anchored);
        return anchored;
    }

    private void count(long weight) {
        nodes += weight;
        if (nodes > MAX_NODES) {
            throw problems.fatal(
                    last, "more than " + MAX_NODES + " nodes, aliases counted (expected: at most " + MAX_NODES + ")");
        }
    }

    private void refuseTag(String tag) {
        problems.error(last, "tag " + Problems.quoted(tag) + " (expected: none)");
    }

    private PolicyException tooDeep() {
        return problems.fatal(
                last, "nested deeper than " + MAX_DEPTH + " levels (expected: at most " + MAX_DEPTH + ")");
    }

    private static SourcePosition position(Optional<Mark> mark) {
        return mark.map(m -> new SourcePosition(m.getLine() + 1, m.getColumn() + 1))
                .orElse(SourcePosition.START);
    }

    /** The node of an anchor; null while that node is still being read. */
    static final class Anchored {
        private @Nullable YamlNode node;
        private long weight;
        private int height;

        void hold(YamlNode node, long weight, int height) {
            this.node = node;
            this.weight = weight;
            this.height = height;
        }
    }
}
