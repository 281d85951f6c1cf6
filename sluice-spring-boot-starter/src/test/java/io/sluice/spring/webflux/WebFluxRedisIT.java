package io.sluice.spring.webflux;

import io.sluice.spring.web.TestApplication;
import io.sluice.spring.web.WebFilterContract;
import io.sluice.spring.web.WebRedisContract;
import java.util.List;
import org.springframework.boot.WebApplicationType;

class WebFluxRedisIT extends WebRedisContract {
    @Override
    protected TestApplication start(List<String> properties) {
        return new TestApplication(
                WebApplicationType.REACTIVE,
                List.of(WebFluxFilterTest.Application.class, WebFilterContract.Attributes.class),
                properties);
    }
}
