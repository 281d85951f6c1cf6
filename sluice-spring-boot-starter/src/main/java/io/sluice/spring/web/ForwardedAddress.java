package io.sluice.spring.web;

import io.sluice.policy.PolicyEngine;
import java.util.Locale;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/*
 * A proxy appends the address of its peer to X-Forwarded-For, so only its right end is reliable. But the filter of Spring, Reactor
 * Netty and Jetty take the left end, which is what the client has sent, unless the proxy replaces the header. The valve of Tomcat
 * takes the right end. Afterwards nobody can tell the address of the connection any more.
 */
/** Warns if something before the filters replaces the address of the connection by one that a client can choose. */
public final class ForwardedAddress {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");
    private static final String SETTING = "server.forward-headers-strategy";

    private ForwardedAddress() {}

    /**
     * Warns if policies use the address.
     *
     * @param nativeIsReliable whether the strategy {@code native} of the server takes the right end
     */
    public static void warnIfChosenByClients(Environment environment, PolicyEngine engine, boolean nativeIsReliable) {
        String strategy = strategy(environment);
        boolean chosen = strategy.equals("framework") || (strategy.equals("native") && !nativeIsReliable);
        if (chosen && engine.attributes().contains("ip")) {
            LOG.warn(SETTING + ": " + strategy
                    + " takes the address of a client from the left end of X-Forwarded-For, which the"
                    + " client can choose. So a client can avoid limits by \"ip\", unless the proxy replaces the header. If it does"
                    + " not, set " + SETTING + ": none, and name the proxies in sluice.web.trusted-proxies.");
        }
    }

    /** Without the setting, Spring Boot believes the proxies of platforms such as Kubernetes. */
    private static String strategy(Environment environment) {
        String setting = environment.getProperty(SETTING);
        if (setting != null) {
            return setting.toLowerCase(Locale.ROOT);
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders() ? "native" : "none";
    }
}
