/** The service, driven from a second process, beside servers that do the same with less or with others' means. */
@NullMarked
package io.sluice.benchmarks.server;

import org.jspecify.annotations.NullMarked;
