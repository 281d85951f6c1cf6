/** Tests of the dashboard in a real browser, against real servers with real traffic. */
@NullMarked
package io.sluice.cli.dashboard;

import org.jspecify.annotations.NullMarked;
