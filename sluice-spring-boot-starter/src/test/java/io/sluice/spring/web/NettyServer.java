package io.sluice.spring.web;

import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Import it to run a WebFlux application on Reactor Netty. The tests have Tomcat too, which Spring Boot prefers. The class of the
 * server has another package in each line of Spring Boot.
 */
public final class NettyServer implements ImportSelector {
    private static final String BOOT_3 = "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory";
    private static final String BOOT_4 = "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory";

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        return new String[] {ClassUtils.isPresent(BOOT_3, null) ? BOOT_3 : BOOT_4};
    }
}
