package io.sluice;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/*
 * Several keys of several limiters, decided at one moment. Every key is held before any is judged, always in the same
 * order, so that two such decisions cannot wait for each other; then all are judged; then all are taken, or none.
 */
/** Charges that are decided together. */
final class JointDecision {
    /** A key of one limit: what can be held once. */
    private record Place(Space space, String key) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int bySpace = Integer.compare(space.id, other.space.id);
            return bySpace != 0 ? bySpace : key.compareTo(other.key);
        }
    }

    private final TimeSource time;
    private final TreeMap<Place, Long> permits = new TreeMap<>();
    private final List<List<Place>> charges = new ArrayList<>();

    JointDecision(TimeSource time) {
        this.time = time;
    }

    void add(MemoryLimiter limiter, String key, long charged) {
        List<Place> places = new ArrayList<>();
        for (Space space : limiter.spaces()) {
            Place place = new Place(space, key);
            // More than any limit has stays more: the sum saturates.
            permits.merge(place, charged, (x, y) -> x > Long.MAX_VALUE - y ? Long.MAX_VALUE : x + y);
            places.add(place);
        }
        charges.add(places);
    }

    Decisions decide() {
        Map<Place, Hold> holds = new TreeMap<>();
        try {
            for (Place place : permits.keySet()) {
                holds.put(place, place.space().hold(place.key()));
            }
            Moment moment = new Moment(time);
            boolean allowed = true;
            for (Map.Entry<Place, Hold> entry : holds.entrySet()) {
                entry.getValue().arrive(moment);
                entry.getValue().judge(permits.getOrDefault(entry.getKey(), 0L));
                allowed &= entry.getValue().allowed();
            }
            for (Hold hold : holds.values()) {
                if (allowed) {
                    hold.take();
                } else {
                    hold.deny();
                }
            }
            List<Decision> each = new ArrayList<>();
            for (List<Place> places : charges) {
                each.add(places.stream()
                        .map(place -> Objects.requireNonNull(holds.get(place)).decision())
                        .reduce(Decision::and)
                        .orElse(Decision.UNLIMITED));
            }
            return new Decisions(each);
        } finally {
            holds.values().forEach(Hold::release);
        }
    }
}
