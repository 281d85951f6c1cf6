package io.sluice.redis.limits;

import io.sluice.CalendarWindow;
import io.sluice.TimeSpan;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/*
 * Redis knows no time zones. So a call brings windows of the calendar, and the script decides by the clock of Redis which one
 * counts. The client does not read its own wall clock: it knows the clock of Redis from earlier answers. If the script needs
 * another window, it answers with the time, and the call is sent again with the window of that time.
 */
/** The times, on the clock of Redis, whose windows of the calendar a call brings. */
public final class CalendarTimes {
    public static final CalendarTimes NONE = new CalendarTimes(Set.of());

    private final TreeSet<Long> times;

    private CalendarTimes(Set<Long> times) {
        this.times = new TreeSet<>(times);
    }

    /** Creates it of the present time of Redis or of the virtual times of the calls. Empty if nothing is known yet. */
    public static CalendarTimes of(Set<Long> known) {
        return new CalendarTimes(known);
    }

    boolean isOneTime() {
        return times.size() == 1;
    }

    long first() {
        return times.first();
    }

    /** The windows of a limit at these times. After each the next one, which may begin before the call arrives. */
    List<TimeSpan> windowsOf(CalendarWindow limit) {
        Set<TimeSpan> windows = new LinkedHashSet<>();
        for (long time : times) {
            TimeSpan window = limit.windowAt(time);
            windows.add(window);
            windows.add(limit.windowAt(window.end()));
        }
        return List.copyOf(windows);
    }
}
