/**
 * Sluice for Spring Boot: settings, beans that users may replace, and {@code @RateLimited}. The rooms below configure
 * themselves, and only where the application has what they need.
 */
@NullMarked
package io.sluice.spring;

import org.jspecify.annotations.NullMarked;
