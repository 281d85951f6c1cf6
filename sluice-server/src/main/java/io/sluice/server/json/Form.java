package io.sluice.server.json;

/** What a check looks like in some place. */
enum Form {
    /** A line of a file. */
    LINE(
            "{\"time_us\":...,\"attributes\":{...}}",
            "time_us, attributes, permits",
            "the line ends within the request (expected: all of it on one line)",
            "more after the request (expected: the end of the line)"),

    /** A body. */
    BODY(
            "{\"attributes\":{...}}",
            "attributes, permits",
            "the body ends within the check (expected: all of it)",
            "more after the check (expected: the end of the body)"),

    /** A body with many. */
    BATCH(
            "{\"checks\":[{\"attributes\":{...}}]}",
            "checks",
            "the body ends within the checks (expected: all of it)",
            "more after the checks (expected: the end of the body)");

    /** What it looks like, in short. */
    final String expected;

    /** Which fields it may have. */
    final String fields;

    /** What to say if its end is missing. */
    final String cut;

    /** What to say if something follows it. */
    final String more;

    Form(String expected, String fields, String cut, String more) {
        this.expected = expected;
        this.fields = fields;
        this.cut = cut;
        this.more = more;
    }
}
