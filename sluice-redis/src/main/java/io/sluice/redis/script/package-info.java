/**
 * The Lua scripts, the bytes that they read and write, and the names of keys in Redis. Every room of this module may come
 * in; this room enters none of them.
 */
@NullMarked
package io.sluice.redis.script;

import org.jspecify.annotations.NullMarked;
