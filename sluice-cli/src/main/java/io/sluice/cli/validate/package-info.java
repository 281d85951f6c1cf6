/**
 * {@code sluice validate}: checks policy files and prints their problems. Only {@link io.sluice.cli.Main} uses it.
 */
@NullMarked
package io.sluice.cli.validate;

import org.jspecify.annotations.NullMarked;
