package io.sluice.testkit;

/** What one limit says to a request, on the state before it. */
record Verdict(boolean allowed, long delayMicros) {}
