package io.sluice.server.playground;

import io.sluice.Decision;
import io.sluice.server.simulate.chart.BinRanges;
import io.sluice.server.simulate.chart.ChartData;
import io.sluice.server.simulate.chart.ChartPanel;
import io.sluice.server.simulate.chart.Timeline;
import io.sluice.server.simulate.chart.WatchedKey;
import io.sluice.server.simulate.chart.Worst;
import io.sluice.server.simulate.trace.KeyRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The JSON of a chart: counts in bars of equal width, for each limit. */
final class ChartJson {
    private static final int MOST_BARS = 180;
    private static final int MOST_KEYS = 3;

    private ChartJson() {}

    static JsonObject of(ChartData<KeyRequest, Decision> chart) {
        Timeline timeline = chart.timeline();
        long width = timeline.bins() == 0 ? timeline.width() : timeline.barWidth(MOST_BARS);
        int factor = Math.toIntExact(width / timeline.width());
        JsonArray limits = new JsonArray();
        chart.panels().forEach(panel -> limits.add(panel(panel, timeline, factor)));
        ChartPanel first = chart.panels().get(0);
        return new JsonObject()
                .put("requests", chart.requests())
                .put("keys", first.watchedKeys())
                .put("more_keys", first.hasUnwatchedKeys())
                .put("start_us", Math.max(0, timeline.start()))
                .put("bar_us", width)
                .put("bars", (timeline.bins() + factor - 1) / factor)
                .put("limits", limits);
    }

    private static JsonObject panel(ChartPanel panel, Timeline timeline, int factor) {
        JsonArray keys = new JsonArray();
        for (WatchedKey key : panel.busiest(MOST_KEYS)) {
            keys.add(new JsonObject()
                    .put("key", key.key())
                    .put("requests", key.requests())
                    .put("remaining", remaining(key.remaining(), timeline, factor)));
        }
        return new JsonObject()
                .put("limit", panel.title())
                .put("capacity", panel.limit() == null ? 0 : panel.limit().capacity())
                .put("admitted", panel.admitted())
                .put("delayed", panel.delayed().total())
                .put("denied", panel.denied().total())
                .put("longest_delay_us", panel.longestDelay())
                .put("on_time_bars", array(panel.onTime().sums(factor)))
                .put("delayed_bars", array(panel.delayed().sums(factor)))
                .put("denied_bars", array(panel.denied().sums(factor)))
                .put("keys", keys)
                .put("worst", panel.worst().map(ChartJson::worst).orElse(null));
    }

    private static JsonArray array(long[] numbers) {
        JsonArray array = new JsonArray();
        for (long number : numbers) {
            array.add(number);
        }
        return array;
    }

    /** The least permits in each bar; null where nothing is known, or everything is allowed. */
    private static JsonArray remaining(BinRanges ranges, Timeline timeline, int factor) {
        JsonArray array = new JsonArray();
        for (int from = 0; from < timeline.bins(); from += factor) {
            long least = Long.MAX_VALUE;
            for (int bin = from; bin < Math.min(from + factor, timeline.bins()); bin++) {
                least = ranges.isEmpty(bin) ? least : Math.min(least, ranges.least(bin));
            }
            if (least == Long.MAX_VALUE) {
                array.addNull();
            } else {
                array.add(least);
            }
        }
        return array;
    }

    private static JsonObject worst(Worst worst) {
        return new JsonObject()
                .put("key", worst.key())
                .put("from_us", worst.from())
                .put("to_us", worst.to())
                .put("permits", worst.permits())
                .put("window_us", worst.window().micros())
                .put("limit_permits", worst.window().permits());
    }
}
