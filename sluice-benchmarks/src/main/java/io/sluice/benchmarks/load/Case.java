package io.sluice.benchmarks.load;

import java.util.List;

/** A case with its contestants: Sluice and the peers. */
public record Case(String name, Contestant sluice, List<Contestant> peers) {}
