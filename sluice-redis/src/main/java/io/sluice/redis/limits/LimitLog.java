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
 * If code configures a limit and another limit is in force, the log says so: once for each limiter and pair of limits. Limits of
 * policies are put in force together, and in every rolling deployment some processes follow a newer edition. The log says
 * that once for each revision, for all limiters together.
 */
/** Logs when the limits in force are not those that this process has configured. */
public final class LimitLog {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");

    /** With more differences than this, the log forgets and may repeat itself. */
    private static final int MOST_REMEMBERED = 10_000;

    private final Set<Difference> said = new HashSet<>();
    private final Set<Long> saidRevisions = new HashSet<>();
    private final Set<String> enforced = ConcurrentHashMap.newKeySet();

    /** The limits that this process has put in force by an update, by limiter. */
    private final Map<String, List<Limit>> wanted = new ConcurrentHashMap<>();

    private record Difference(String limiter, List<Limit> configured, List<Limit> inForce) {}

    /** The limits of a limiter are put in force together with those of others. */
    public void enforced(String limiter) {
        enforced.add(limiter);
    }

    /** This process updates a limiter, so it expects these limits. */
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
