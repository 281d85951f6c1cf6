package io.sluice.server.json;

/** The JSON format of a request in one place, with the texts of its error messages. */
enum CheckFormat {
    /** A line of a requests.jsonl file. */
    LINE(
            "{\"time_us\":...,\"attributes\":{...}}",
            "time_us, attributes, permits, signals",
            "the line ends within the request (expected: all of it on one line)",
            "more after the request (expected: the end of the line)"),

    /** The body of {@code /v1/check}. */
    BODY(
            "{\"attributes\":{...}}",
            "attributes, permits",
            "the body ends within the check (expected: all of it)",
            "more after the check (expected: the end of the body)"),

    /** The body of {@code /v1/reserve}. */
    RESERVE(
            "{\"attributes\":{...},\"permits\":1000,\"ttl\":\"60s\"}",
            "attributes, permits, ttl",
            "the body ends within the request (expected: all of it)",
            "more after the request (expected: the end of the body)"),

    /** The body of {@code /v1/settle}. */
    SETTLE(
            "{\"reservation\":\"...\",\"permits\":734}",
            "reservation, permits",
            "the body ends within the request (expected: all of it)",
            "more after the request (expected: the end of the body)"),

    /** The body of {@code /v1/release} and {@code /v1/renew}. */
    HOLDS(
            "{\"holds\":\"...\"}",
            "holds",
            "the body ends within the request (expected: all of it)",
            "more after the request (expected: the end of the body)"),

    /** The body of {@code /v1/check:batch}. */
    BATCH(
            "{\"checks\":[{\"attributes\":{...}}]}",
            "checks",
            "the body ends within the checks (expected: all of it)",
            "more after the checks (expected: the end of the body)");

    /** A short example. */
    final String expected;

    /** The names of the fields. */
    final String fields;

    /** The error if the end is missing. */
    final String truncated;

    /** The error if more text follows. */
    final String trailing;

    CheckFormat(String expected, String fields, String truncated, String trailing) {
        this.expected = expected;
        this.fields = fields;
        this.truncated = truncated;
        this.trailing = trailing;
    }
}
