/** The auto-configurations, and what they read from the settings. Nobody else uses it. */
@NullMarked
package io.sluice.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
