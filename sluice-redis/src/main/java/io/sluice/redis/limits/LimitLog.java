package io.sluice.redis.limits;

import io.sluice.Limit;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/*
 * Who brings a limit in code should hear that another one holds: once for each limiter and pair of limits. Limits that are
 * put in force together, as policies are, follow a newer edition in every rolling deployment; that is said once for each
 * revision, whatever the number of limiters.
 */
/** Says in the log when the limits in force are not those that this process brought. */
public final class LimitLog {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");

    /** What is said more often than that is said again. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Set<Difference> said = new HashSet<>();
    private final Set<Long> saidRevisions = new HashSet<>();
    private final Set<String> enforced = ConcurrentHashMap.newKeySet();

    /** What this process itself has put in force: by limiter. */
    private final Map<String, List<Limit>> wanted = new ConcurrentHashMap<>();

    private record Difference(String limiter, List<Limit> configured, List<Limit> inForce) {}

    /** A limiter's limits are put in force together with those of others. */
    public void enforced(String limiter) {
        enforced.add(limiter);
    }

    /** This process updates a limiter: it knows that these are not the limits that it brought. */
    void wanted(String limiter, List<Limit> limits) {
        wanted.put(limiter, limits);
    }

    public void following(String name, List<Limit> configured, List<Limit> inForce, long revision) {
        if (configured.equals(inForce) || inForce.equals(wanted.get(name))) {
            return;
        } else if (enforced.contains(name)) {
            if (isNew(saidRevisions, revision)) {
                LOG.log(
                        Level.INFO,
                        "limits of another edition are in force, and this process follows them: limiter \"{0}\" has {1} of"
                                + " revision {2}, not {3}; other limiters of this revision are not named",
                        name,
                        text(inForce),
                        Long.toString(revision),
                        text(configured));
            }
        } else if (isNew(said, new Difference(name, configured, inForce))) {
            LOG.log(
                    Level.WARNING,
                    "limiter \"{0}\": this process brings {1}, but {2} is in force and holds; to change it for all"
                            + " processes, call update, or bring the limit with a revision above {3}",
                    name,
                    text(configured),
                    text(inForce),
                    Long.toString(revision));
        }
    }

    private synchronized <T> boolean isNew(Set<T> all, T one) {
        if (all.size() >= MOST_REMEMBERED) {
            all.clear();
        }
        return all.add(one);
    }

    private static String text(List<Limit> limits) {
        return limits.stream().map(Limit::toString).collect(Collectors.joining(" and "));
    }
}
