/**
 * Everything that depends on the internals of Vert.x and on Netty's pipelines: the transport, the handlers in the pipelines of
 * connections, and the counting of the bytes that connections buffer. The listeners and {@code http} and {@code resp} may use
 * it; it knows no protocol route and no command.
 *
 * <p>Why: Vert.x has no public API to refuse a connection when it is accepted, to see how many bytes a connection buffers, or
 * to keep the failure of one HTTP/2 stream from closing its connection. When Vert.x or Netty is upgraded, check these points:
 *
 * <ul>
 *   <li>{@link io.sluice.server.vertx.AcceptFilterTransport} implements {@code io.vertx.core.spi.transport.Transport}, which is
 *       an internal interface. It must delegate every method, and {@code configure(NetServerOptions, ...)} must still be called
 *       before a port is bound ({@code ConnectionCapTest}, {@code FloodIT}).
 *   <li>{@link io.sluice.server.vertx.VertxChannels} casts a connection to an internal type to get its channel.
 *   <li>{@link io.sluice.server.vertx.StreamFailures} is a workaround. It can go when Vert.x writes trailers with a promise
 *       ({@code CancelledCallTest}).
 *   <li>{@link io.sluice.server.vertx.ConnectionMemory} and {@link io.sluice.server.vertx.SocketOutput} assume that they are
 *       next to the network in the pipeline, and that Vert.x pauses a connection with auto-read ({@code ConnectionMemoryTest},
 *       {@code SlowClientTest}, {@code RespMemoryTest}).
 * </ul>
 *
 * <p>{@code ServerArchitectureTest} keeps every other package away from these internals.
 */
@NullMarked
package io.sluice.server.vertx;

import org.jspecify.annotations.NullMarked;
