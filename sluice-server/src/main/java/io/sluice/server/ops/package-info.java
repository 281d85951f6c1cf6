/** What those ask who run the service: is it alive, is it ready, how much does it do. */
@NullMarked
package io.sluice.server.ops;

import org.jspecify.annotations.NullMarked;
