/** Posts alerts to webhooks when they begin and when they end. Only {@code io.sluice.server} uses it. */
@NullMarked
package io.sluice.server.alerts;

import org.jspecify.annotations.NullMarked;
