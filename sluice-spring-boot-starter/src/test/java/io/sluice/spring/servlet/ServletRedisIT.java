package io.sluice.spring.servlet;

import io.sluice.spring.web.TestApplication;
import io.sluice.spring.web.WebFilterContract;
import io.sluice.spring.web.WebRedisContract;
import java.util.List;
import org.springframework.boot.WebApplicationType;

class ServletRedisIT extends WebRedisContract {
    @Override
    protected TestApplication start(List<String> properties) {
        return new TestApplication(
                WebApplicationType.SERVLET,
                List.of(ServletFilterTest.Application.class, WebFilterContract.Attributes.class),
                properties);
    }
}
