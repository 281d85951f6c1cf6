package io.sluice.policy.explain;

import io.sluice.Decision;
import io.sluice.policy.Adapt;
import io.sluice.policy.Charging;
import io.sluice.policy.CurrentWindow;
import io.sluice.policy.JsonText;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Mode;
import io.sluice.policy.TemporaryOverride;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes an explanation as text. */
final class ExplanationText {
    private static final int MAX_SKIPPED = 10;

    private ExplanationText() {}

    static String of(Explanation explanation) {
        StringBuilder out = new StringBuilder();
        out.append(explanation.allowed() ? "would be allowed" : "would be denied")
                .append('\n');
        explanation.policies().forEach(policy -> append(out, policy));
        return out.toString();
    }

    private static void append(StringBuilder out, PolicyExplanation it) {
        out.append('\n').append(it.policy().name()).append(it.applies() ? ": applies" : ": does not apply");
        out.append(", ").append(it.reason()).append('\n');
        if (!it.applies()) {
            return;
        }
        it.skippedOverrides().stream().limit(MAX_SKIPPED).forEach(skipped -> line(out, "not", "override " + skipped));
        if (it.skippedOverrides().size() > MAX_SKIPPED) {
            line(out, "not", "and " + (it.skippedOverrides().size() - MAX_SKIPPED) + " more overrides");
        }
        LimitOverride override = it.override();
        if (override != null) {
            line(out, "override", override.id());
        }
        line(out, "key", key(it.key()));
        line(out, "limit", it.limit() + mode(it.policy().mode()));
        Adapt adapt = it.policy().adapt();
        if (adapt != null && it.factor() != null) {
            line(
                    out,
                    "adapt",
                    "times " + Adapt.factorText(it.factor()) + ", by the signal " + JsonText.quoted(adapt.signal()));
        }
        if (it.policy().charge() == Charging.ALWAYS) {
            line(out, "charge", "always, whatever is decided");
        }
        if (it.limit() != null && it.limit().algorithm().holds()) {
            line(out, "holds", "one permit, until the request leaves; only for requests that enter");
        }
        TemporaryOverride temporary = it.temporary();
        if (temporary != null) {
            line(out, "until", temporary.expires() + ", a temporary override");
        }
        if (it.kept() > 0) {
            line(out, "reserve", it.kept() + " kept for others");
        } else if (it.policy().reserve() != null) {
            line(out, "reserve", "open to this request");
        }
        CurrentWindow window = it.window();
        if (window != null) {
            line(out, "window", window.beginText() + " to " + window.endText());
        }
        line(out, "now", state(it.requireState()));
    }

    private static void line(StringBuilder out, String what, String text) {
        out.append(String.format(Locale.ROOT, "  %-9s", what)).append(text).append('\n');
    }

    private static String key(Map<String, String> key) {
        return key.isEmpty()
                ? "one for all"
                : key.entrySet().stream()
                        .map(part -> part.getKey() + "=" + JsonText.quoted(part.getValue()))
                        .collect(Collectors.joining(" "));
    }

    private static String mode(Mode mode) {
        return mode == Mode.SHADOW ? " (shadow: never denies)" : "";
    }

    private static String state(Decision state) {
        String verdict;
        if (state.allowed()) {
            verdict = state.delayMicros() > 0 ? "allowed after " + time(state.delayMicros()) : "allowed";
        } else {
            verdict = state.never() ? "denied for ever" : "denied, again after " + time(state.retryAfterMicros());
        }
        String remaining = state.remaining() == Long.MAX_VALUE ? "no limit" : state.remaining() + " remaining";
        if (state.debt() > 0) {
            remaining = "debt " + state.debt();
        }
        String reset = state.resetAfterMicros() == 0 ? "" : ", fresh after " + time(state.resetAfterMicros());
        return verdict + ", " + remaining + reset + (state.degraded() ? " (without the store)" : "");
    }

    /** Exact to the microsecond below one second, else to the millisecond, rounded up. */
    private static String time(long micros) {
        if (micros < 1_000_000) {
            return micros % 1000 == 0 ? micros / 1000 + " ms" : micros + " us";
        }
        Duration duration = Duration.ofMillis((micros + 999) / 1000);
        StringBuilder out = new StringBuilder();
        append(out, duration.toDays(), "d");
        append(out, duration.toHoursPart(), "h");
        append(out, duration.toMinutesPart(), "m");
        int millis = duration.toMillisPart();
        if (duration.toSecondsPart() > 0 || millis > 0) {
            String fraction = millis == 0 ? "" : String.format(Locale.ROOT, ".%03d", millis);
            append(out, duration.toSecondsPart() + fraction + " s");
        }
        return out.toString();
    }

    private static void append(StringBuilder out, long number, String unit) {
        if (number > 0) {
            append(out, number + " " + unit);
        }
    }

    private static void append(StringBuilder out, String text) {
        out.append(out.isEmpty() ? "" : " ").append(text);
    }
}
