/**
 * The connection to Redis: how it is opened, kept and replaced, whether each server answers, and how its clock stands to
 * ours. The rooms above may come in; this room enters {@code script} only.
 */
@NullMarked
package io.sluice.redis.connect;

import org.jspecify.annotations.NullMarked;
