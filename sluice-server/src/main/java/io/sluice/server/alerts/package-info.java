/** Tells others when alerts begin and end. */
@NullMarked
package io.sluice.server.alerts;

import org.jspecify.annotations.NullMarked;
