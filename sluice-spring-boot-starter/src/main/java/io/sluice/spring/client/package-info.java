/**
 * Paces the calls of this application to APIs of others, and honours their {@code Retry-After}. Applications use {@link
 * io.sluice.spring.client.SluiceClients} and {@link io.sluice.spring.client.SluiceWebClients} for clients that they build
 * themselves; builders that are beans are paced without that.
 */
@NullMarked
package io.sluice.spring.client;

import org.jspecify.annotations.NullMarked;
