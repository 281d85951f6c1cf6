package io.sluice.cli.dashboard;

/** A stream of events, as the server would send it in hours, for a page that gets it at once. */
final class FedStream {
    /** The name of an alert that only the last event has. */
    static final String LAST = "the-last-event";

    private static final int POLICIES = 20;

    private final int events;

    FedStream(int events) {
        this.events = events;
    }

    String body() {
        StringBuilder stream = new StringBuilder("retry: 100000\n\n");
        long now = System.currentTimeMillis() / 2000 * 2000;
        for (int i = 0; i < events; i++) {
            boolean last = i == events - 1;
            stream.append("event: tick\ndata: {\"ticks\":[");
            tick(stream, i, now - 2000L * (events - i));
            stream.append("],\"state\":{\"store\":{\"kind\":\"memory\",\"ok\":true},\"alerts\":[");
            if (last) {
                stream.append("{\"alert\":\"").append(LAST);
                stream.append(
                        "\",\"policy\":null,\"condition\":\"x\",\"since\":\"2026-01-01T00:00:00Z\",\"replicas\":1}");
            }
            stream.append("],\"replicas\":[],\"gone\":[],\"complete\":true,\"edition\":1}}\n\n");
        }
        return stream.toString();
    }

    private static void tick(StringBuilder stream, int i, long time) {
        stream.append("{\"t\":").append(time).append(",\"replicas\":1,\"total\":[");
        stream.append(i % 50).append(",2,0,0],\"policies\":{");
        for (int policy = 0; policy < POLICIES; policy++) {
            stream.append(policy == 0 ? "" : ",").append("\"policy-").append(policy);
            stream.append("\":[").append(i % 9).append(",1,0,0]");
        }
        stream.append("},\"latency_us\":{\"p50\":5,\"p99\":40},\"store_ok\":true}");
    }
}
