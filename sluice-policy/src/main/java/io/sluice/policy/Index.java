package io.sluice.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * A match that asks for a certain tenant need only be looked at for requests of that tenant. So each match is filed under
 * one of its conditions: under the texts that the attribute may be (or begin with), for the condition whose texts are
 * asked for by the fewest other matches. A request looks under its own values and tests only what it finds there, and the
 * few matches that could not be filed. So ten thousand policies for ten thousand tenants cost hardly more than ten.
 */
/** Many matches in order, and which of them a request matches. Immutable, so threads may share it. */
final class Index {
    private final Matcher[] matchers;
    private final int[] unfiled;
    private final Shelf[] shelves;

    Index(List<Match> matches, Attributes attributes) {
        matchers = matches.stream().map(match -> new Matcher(match, attributes)).toArray(Matcher[]::new);
        Map<Handle, Integer> population = population();
        IntList rest = new IntList();
        Map<Integer, Shelf.Builder> builders = new TreeMap<>();
        for (int i = 0; i < matchers.length; i++) {
            Set<Handle> best = best(matchers[i], population);
            if (best == null) {
                rest.add(i);
            } else {
                for (Handle handle : best) {
                    builders.computeIfAbsent(handle.slot(), slot -> new Shelf.Builder())
                            .add(i, handle);
                }
            }
        }
        unfiled = rest.toArray();
        List<Shelf> filled = new ArrayList<>();
        builders.forEach((slot, builder) -> filled.add(builder.build(slot)));
        shelves = filled.toArray(Shelf[]::new);
    }

    private Map<Handle, Integer> population() {
        Map<Handle, Integer> population = new HashMap<>();
        for (Matcher matcher : matchers) {
            for (Matcher.Term term : matcher.terms()) {
                Set<Handle> handles = Handle.of(term);
                if (handles != null) {
                    handles.forEach(handle -> population.merge(handle, 1, Integer::sum));
                }
            }
        }
        return population;
    }

    /** The handles of the term whose most popular one is the least popular. */
    private static @Nullable Set<Handle> best(Matcher matcher, Map<Handle, Integer> population) {
        Set<Handle> best = null;
        int least = Integer.MAX_VALUE;
        for (Matcher.Term term : matcher.terms()) {
            Set<Handle> handles = Handle.of(term);
            if (handles != null) {
                // Among equals, a whole text says more than a beginning.
                int most = handles.stream()
                        .mapToInt(handle -> 2 * population.getOrDefault(handle, 0) + (handle.prefix() ? 1 : 0))
                        .max()
                        .orElse(0);
                if (most < least) {
                    best = handles;
                    least = most;
                }
            }
        }
        return best;
    }

    /** The i-th match, compiled. */
    Matcher matcher(int i) {
        return matchers[i];
    }

    /** Puts the places of all that match into a list, in order, instead of what it held. */
    void all(@Nullable String[] values, IntList found) {
        candidates(values, found);
        int kept = 0;
        for (int i = 0; i < found.size(); i++) {
            if (matchers[found.get(i)].matches(values)) {
                found.set(kept++, found.get(i));
            }
        }
        found.truncate(kept);
    }

    /** Puts the places of all that are to be tested into a list, in order, instead of what it held. */
    void candidates(@Nullable String[] values, IntList found) {
        found.truncate(0);
        found.addAll(unfiled);
        for (Shelf shelf : shelves) {
            String value = values[shelf.slot];
            if (value != null) {
                found.addAll(shelf.exactly(value));
                for (PrefixTree node = shelf.prefixes(); node != null; node = node.next(value)) {
                    found.addAll(node.items());
                }
            }
        }
        found.sortAndDropDoubles();
    }

    /** The place of the first that matches; -1 if none does. */
    int first(@Nullable String[] values) {
        int first = firstMatching(unfiled, values, matchers.length);
        for (Shelf shelf : shelves) {
            String value = values[shelf.slot];
            if (value != null) {
                first = firstMatching(shelf.exactly(value), values, first);
                for (PrefixTree node = shelf.prefixes(); node != null; node = node.next(value)) {
                    first = firstMatching(node.items(), values, first);
                }
            }
        }
        return first == matchers.length ? -1 : first;
    }

    private int firstMatching(int[] candidates, @Nullable String[] values, int before) {
        for (int candidate : candidates) {
            if (candidate >= before) {
                break;
            }
            if (matchers[candidate].matches(values)) {
                return candidate;
            }
        }
        return before;
    }
}
