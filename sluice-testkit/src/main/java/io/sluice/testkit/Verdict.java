package io.sluice.testkit;

/** The verdict of one limit on a request, on the state before the request. */
record Verdict(boolean allowed, long delayMicros) {}
