package io.sluice.benchmarks.redis;

import java.util.List;

/** A case, and who takes part. */
record Case(String name, Contestant sluice, List<Contestant> peers) {}
