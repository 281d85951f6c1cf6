/**
 * Runs a simulation on Redis and deletes its keys at the end. It is the only package of the command line that uses the
 * Redis store and Lettuce, so other commands never load their classes; only the simulate command uses it.
 */
@NullMarked
package io.sluice.cli.simulate.redis;

import org.jspecify.annotations.NullMarked;
