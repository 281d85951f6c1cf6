package io.sluice.spring.web;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

/** Finds where the rest of a request runs. */
final class EventLoops {
    private static final boolean REACTOR_NETTY =
            ClassUtils.isPresent("reactor.netty.Connection", EventLoops.class.getClassLoader());

    private EventLoops() {}

    /** The event loop of the connection on Reactor Netty; elsewhere, threads of Reactor. */
    static Executor of(ServerWebExchange exchange) {
        Executor loop = REACTOR_NETTY ? ReactorNetty.eventLoop(exchange) : null;
        Scheduler parallel = Schedulers.parallel();
        return loop != null ? loop : parallel::schedule;
    }

    /** Its own class, because servers need not have Reactor Netty. */
    private static final class ReactorNetty {
        static @Nullable Executor eventLoop(ServerWebExchange exchange) {
            ServerHttpRequest request = exchange.getRequest();
            while (request instanceof ServerHttpRequestDecorator decorator) {
                request = decorator.getDelegate();
            }
            return request instanceof AbstractServerHttpRequest server
                            && nativeRequest(server) instanceof Connection connection
                    ? connection.channel().eventLoop()
                    : null;
        }

        /** The mock requests of Spring's own tests have none, and say so by an exception. */
        private static @Nullable Object nativeRequest(AbstractServerHttpRequest request) {
            try {
                return request.getNativeRequest();
            } catch (IllegalStateException e) {
                return null;
            }
        }
    }
}
