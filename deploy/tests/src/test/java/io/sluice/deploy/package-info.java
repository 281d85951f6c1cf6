/** Checks of the chart and of the manifests, without a cluster. */
@NullMarked
package io.sluice.deploy;

import org.jspecify.annotations.NullMarked;
