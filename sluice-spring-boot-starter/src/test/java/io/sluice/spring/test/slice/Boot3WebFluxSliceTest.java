package io.sluice.spring.test.slice;

import org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest;

/** Without the security that stands on the class path for other tests. A slice of Spring Boot 4 does not have it. */
@WebFluxTest(excludeAutoConfiguration = ReactiveSecurityAutoConfiguration.class)
class Boot3WebFluxSliceTest extends WebFluxSliceContract {}
