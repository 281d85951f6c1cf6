/**
 * {@code sluice image}: writes a container image with a trimmed Java runtime, without Docker and without a base image. Only
 * {@link io.sluice.cli.Main} uses it.
 */
@NullMarked
package io.sluice.cli.image;

import org.jspecify.annotations.NullMarked;
