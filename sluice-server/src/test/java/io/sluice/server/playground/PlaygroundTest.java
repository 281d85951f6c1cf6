package io.sluice.server.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.simulate.trace.InvalidTraceException;
import io.sluice.server.simulate.trace.KeyRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PlaygroundTest {
    private static JsonObject run(String json) {
        return PlaygroundRun.of(SimulationRequest.parse(Buffer.buffer(json)), () -> false);
    }

    private static JsonObject limit(JsonObject chart, int index) {
        return chart.getJsonArray("limits").getJsonObject(index);
    }

    private static long sum(JsonArray bars) {
        return bars.stream().mapToLong(bar -> ((Number) bar).longValue()).sum();
    }

    @Test
    void edge_showsThatAFixedWindowAllowsTwice_andALogDoesNot() {
        JsonObject chart = run("{\"limits\":[\"fixed-window 10 per 1s\",\"sliding-log 10 per 1s\"],"
                + "\"traffic\":{\"shape\":\"edge\",\"size\":10,\"every\":1,\"seconds\":2}}");

        assertThat(chart.getInteger("requests")).isEqualTo(20);
        assertThat(limit(chart, 0).getInteger("admitted")).isEqualTo(20);
        assertThat(limit(chart, 0).getJsonObject("worst").getInteger("permits")).isEqualTo(20);
        assertThat(limit(chart, 1).getInteger("admitted")).isEqualTo(10);
        assertThat(limit(chart, 1).getInteger("denied")).isEqualTo(10);
        assertThat(limit(chart, 1).getJsonObject("worst").getInteger("permits")).isEqualTo(10);
    }

    @Test
    void concurrencyLimit_isRefused() {
        assertThatThrownBy(() -> SimulationRequest.parse(
                        Buffer.buffer("{\"limits\":[\"concurrency 5\"],\"trace\":\"time_us,key,permits\\n\"}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "limit: concurrency 5 (expected: a limit on arrivals, such as 600/min; recorded requests do not say how"
                                + " long each was in flight)");
    }

    @Test
    void leakyBucket_showsRequestsWhenTheyLeave() {
        JsonObject chart = run("{\"limits\":[\"leaky-bucket 1/s capacity 5\"],"
                + "\"trace\":\"time_us,key,permits\\n0,a,1\\n0,a,1\\n0,a,1\\n\"}");

        JsonObject leaky = limit(chart, 0);
        assertThat(leaky.getInteger("delayed")).isEqualTo(2);
        assertThat(leaky.getInteger("longest_delay_us")).isEqualTo(2_000_000);
        assertThat(sum(leaky.getJsonArray("on_time_bars"))).isEqualTo(1);
        assertThat(sum(leaky.getJsonArray("delayed_bars"))).isEqualTo(2);
        int last = leaky.getJsonArray("delayed_bars").size() - 1;
        assertThat(leaky.getJsonArray("delayed_bars").getInteger(last)).isEqualTo(1);
        assertThat(last * chart.getLong("bar_us")).isEqualTo(2_000_000);
    }

    @Test
    void remaining_growsBetweenRequests() {
        JsonObject chart = run("{\"limits\":[\"token-bucket 10/s burst 10\"],"
                + "\"trace\":\"time_us,key,permits\\n0,a,10\\n1000000,a,1\\n\"}");

        JsonArray remaining =
                limit(chart, 0).getJsonArray("keys").getJsonObject(0).getJsonArray("remaining");
        int middle = (int) (500_000 / chart.getLong("bar_us"));
        assertThat(remaining.getInteger(0)).isZero();
        assertThat(remaining.getInteger(middle)).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void traffic_ofEveryShape_isOrderedAndAlwaysTheSame(Shape shape) {
        Traffic traffic = new Traffic(shape, 20, 12, 30, 2, 3);

        List<KeyRequest> requests = traffic.requests();

        assertThat(requests).isNotEmpty();
        assertThat(requests.stream().mapToLong(KeyRequest::timeMicros)).isSorted();
        assertThat(requests.get(requests.size() - 1).timeMicros()).isLessThan(12_000_000);
        assertThat(traffic.requests().stream()
                        .map(each -> each.timeMicros() + each.key().text()))
                .containsExactlyElementsOf(requests.stream()
                        .map(each -> each.timeMicros() + each.key().text())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [] | the body is not a JSON object
            {"limits":["1/s"]} | either traffic or trace
            {"limits":[],"trace":""} | a list of 1 to 6 limits
            {"limits":["1/x"],"trace":""} | limits[0]:
            {"limits":["1/s"],"traffic":{"shape":"square"}} | traffic.shape: square (expected: one of steady
            {"limits":["1/s"],"traffic":{"shape":"steady","rate":0}} | traffic.rate: 0 (expected: a whole number from 1
            {"limits":["1/s"],"traffic":{"shape":"steady","speed":1}} | unknown field traffic.speed
            {"limits":["1/s"],"trace":"","colour":1} | unknown field colour""")
    void request_thatIsBad_isRefused(String json, String why) {
        assertThatThrownBy(() -> run(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void simulation_thatIsTooLarge_isRefused() {
        assertThatThrownBy(() -> run(
                        "{\"limits\":[\"1/s\"],\"traffic\":{\"shape\":\"steady\",\"rate\":100000,\"seconds\":100}}"))
                .isInstanceOf(InvalidTraceException.class)
                .hasMessageContaining("more than 50000 requests");
        SimulationRequest slow = SimulationRequest.parse(Buffer.buffer(
                "{\"limits\":[\"1/s\"],\"traffic\":{\"shape\":\"steady\",\"rate\":1000,\"seconds\":10}}"));
        assertThatThrownBy(() -> PlaygroundRun.of(slow, () -> true))
                .hasMessageContaining("took too long after 256 of 10000");
    }
}
