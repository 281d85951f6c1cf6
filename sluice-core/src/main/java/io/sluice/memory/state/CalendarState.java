package io.sluice.memory.state;

import io.sluice.CalendarWindow;
import io.sluice.TimeSpan;
import io.sluice.exact.Exact;
import java.io.IOException;

/** The use of a window of the calendar. Its end is stored, so that it stands whatever a newer time zone file says. */
final class CalendarState extends WindowState {
    private long end;

    CalendarState(ActiveLimit active) {
        super(active);
    }

    private CalendarWindow limit() {
        return (CalendarWindow) active.rule;
    }

    @Override
    long end() {
        return end;
    }

    @Override
    void open(long t) {
        TimeSpan window = active.calendarWindowAt(t);
        opened = window.begin();
        end = window.end();
    }

    @Override
    WindowState emptyCopy() {
        CalendarState copy = new CalendarState(active);
        copy.opened = opened;
        copy.end = end;
        return copy;
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof CalendarState old)
                || old.limit().calendar() != limit().calendar()
                || !old.limit().zone().equals(limit().zone())) {
            return false;
        }
        if (old.isOpen(t)) {
            opened = old.opened;
            end = old.end;
            count = old.count;
        }
        return true;
    }

    @Override
    void saveUse(StateOutput out) {
        out.number(count);
        out.number(count == 0 ? 0 : last - opened);
        out.number(count == 0 ? 0 : Math.max(0, end - last));
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        count = in.number("use", maxUse());
        opened = last - in.number("age of the window", Exact.MAX_TIME_SPAN);
        end = last + in.number("rest of the window", Exact.MAX_TIME_SPAN);
    }
}
