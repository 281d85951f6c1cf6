package io.sluice.spring.test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The application under test: it has a Redis, which nobody may ask. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TestedApplication {
    static final String NAME = "sluice.policies[0].name=per-tenant";
    static final String KEY = "sluice.policies[0].key=tenant";
    static final String LIMIT = "sluice.policies[0].limit=2/h";
    static final String REDIS = "sluice.redis.uri=redis://localhost:1";
}
