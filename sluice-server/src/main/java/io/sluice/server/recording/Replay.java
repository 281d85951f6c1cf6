package io.sluice.server.recording;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * Both policies decide the same requests, at the times at which they came, each with a memory store of its own that is fresh at the
 * beginning. So both start alike, and the difference is that of the policies.
 */
/** Decides a recording by the policies in force and by other policies, with the engine of the service, and compares. */
public final class Replay {
    static final int MAX_EXAMPLES = 20;

    /** Maximum number of keys of each engine. */
    private static final long MAX_KEYS = 100_000;

    private final Policies before;
    private final Policies after;
    private final Duration patience;

    /** @param patience the maximum time of the replay; then the rest of the recording is left out */
    public Replay(Policies before, Policies after, Duration patience) {
        this.before = before;
        this.after = after;
        this.patience = patience;
    }

    /** The requests of one policy. */
    public static final class PolicyChange {
        private long deniedBefore;
        private long deniedAfter;
        private long newlyDenied;
        private long newlyAllowed;

        public long deniedBefore() {
            return deniedBefore;
        }

        public long deniedAfter() {
            return deniedAfter;
        }

        /** Requests that were allowed, and that this policy denies now. */
        public long newlyDenied() {
            return newlyDenied;
        }

        /** Requests that this policy denied, and that are allowed now. */
        public long newlyAllowed() {
            return newlyAllowed;
        }
    }

    /** A request that is decided differently. */
    public record Example(RecordedRequest request, List<String> violatedBefore, List<String> violatedAfter) {}

    /**
     * What was compared.
     *
     * @param replayed less than the recording if it took too long
     * @param policies by name, in the order of their first denial
     */
    public record Result(
            Recording.Content recording,
            long replayed,
            long allowedBefore,
            long allowedAfter,
            long newlyDenied,
            long newlyAllowed,
            Map<String, PolicyChange> policies,
            List<Example> examples,
            @Nullable String note) {}

    /** Replays a recording. Takes time. */
    public Result run(Recording.Content recording) {
        List<RecordedRequest> requests = recording.requests();
        long start = requests.isEmpty() ? 0 : requests.get(0).micros();
        ReplayTime time = new ReplayTime(start);
        long until = System.nanoTime() + patience.toNanos();
        try (PolicyEngine old = engine(before, time);
                PolicyEngine next = engine(after, time)) {
            Comparison comparison = new Comparison();
            int replayed = 0;
            for (RecordedRequest request : requests) {
                if (System.nanoTime() - until > 0) {
                    break;
                }
                time.set(request.micros());
                comparison.add(
                        request,
                        old.check(request.attributes(), request.permits()),
                        next.check(request.attributes(), request.permits()));
                replayed++;
            }
            return comparison.result(recording, replayed, notes(recording, replayed, old, next));
        }
    }

    private static PolicyEngine engine(Policies policies, ReplayTime time) {
        List<Policy> arrivals = policies.policies().stream()
                .filter(policy -> !policy.limitsConcurrency())
                .toList();
        return PolicyEngine.builder()
                .policies(new Policies(arrivals, List.of(), List.of()))
                .store(MemoryStore.builder().time(time).maxKeys(MAX_KEYS).build())
                .time(time)
                .build();
    }

    private @Nullable String notes(Recording.Content recording, int replayed, PolicyEngine old, PolicyEngine next) {
        List<String> notes = new ArrayList<>();
        TreeSet<String> leftOut = new TreeSet<>();
        for (Policies policies : List.of(before, after)) {
            policies.policies().stream()
                    .filter(Policy::limitsConcurrency)
                    .forEach(policy -> leftOut.add(policy.name()));
        }
        if (!leftOut.isEmpty()) {
            notes.add(
                    "Policies that limit concurrency are left out, because the recording does not say how long each request was in"
                            + " flight: " + String.join(", ", leftOut) + ".");
        }
        if (recording.requests().isEmpty()) {
            notes.add("Nothing was recorded yet: send some requests first.");
        }
        if (replayed < recording.requests().size()) {
            notes.add("The replay took too long, so it stopped before the end of the recording.");
        }
        if (recording.share() < 1) {
            notes.add("Only the requests of a part of the clients are recorded, so limits that many clients share"
                    + " are seen with less traffic than they had.");
        }
        TreeSet<String> unknown = new TreeSet<>(next.attributes());
        unknown.removeAll(old.attributes());
        if (!unknown.isEmpty() && !recording.requests().isEmpty()) {
            notes.add("The recording does not have attributes that only the new policies use: "
                    + String.join(", ", unknown) + ".");
        }
        return notes.isEmpty() ? null : String.join(" ", notes);
    }

    private static final class Comparison {
        private final Map<String, PolicyChange> policies = new LinkedHashMap<>();
        private final List<Example> examples = new ArrayList<>();
        private long allowedBefore;
        private long allowedAfter;
        private long newlyDenied;
        private long newlyAllowed;

        void add(RecordedRequest request, PolicyDecision before, PolicyDecision after) {
            allowedBefore += before.allowed() ? 1 : 0;
            allowedAfter += after.allowed() ? 1 : 0;
            boolean changed = before.allowed() != after.allowed();
            newlyDenied += changed && before.allowed() ? 1 : 0;
            newlyAllowed += changed && after.allowed() ? 1 : 0;
            for (PolicyResult result : before.results()) {
                if (result.isViolated()) {
                    PolicyChange change = change(result);
                    change.deniedBefore++;
                    change.newlyAllowed += after.allowed() ? 1 : 0;
                }
            }
            for (PolicyResult result : after.results()) {
                if (result.isViolated()) {
                    PolicyChange change = change(result);
                    change.deniedAfter++;
                    change.newlyDenied += before.allowed() ? 1 : 0;
                }
            }
            if (changed && examples.size() < MAX_EXAMPLES) {
                examples.add(new Example(request, before.violated(), after.violated()));
            }
        }

        private PolicyChange change(PolicyResult result) {
            return policies.computeIfAbsent(result.policy(), name -> new PolicyChange());
        }

        Result result(Recording.Content recording, int replayed, @Nullable String note) {
            return new Result(
                    recording,
                    replayed,
                    allowedBefore,
                    allowedAfter,
                    newlyDenied,
                    newlyAllowed,
                    policies,
                    examples,
                    note);
        }
    }
}
