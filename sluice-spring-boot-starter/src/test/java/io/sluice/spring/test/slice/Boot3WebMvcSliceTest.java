package io.sluice.spring.test.slice;

import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;

/** Without the security that stands on the class path for other tests. A slice of Spring Boot 4 does not have it. */
@WebMvcTest(excludeAutoConfiguration = SecurityAutoConfiguration.class)
class Boot3WebMvcSliceTest extends WebMvcSliceContract {}
