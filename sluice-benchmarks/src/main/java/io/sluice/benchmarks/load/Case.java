package io.sluice.benchmarks.load;

import java.util.List;

/** A case, and who takes part. */
public record Case(String name, Contestant sluice, List<Contestant> peers) {}
