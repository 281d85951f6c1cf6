package io.sluice.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

class MvcRoutesTest {
    /** Tomcat takes //app for the context path /app, but Spring MVC refuses it. The filter must decide the request all the same. */
    @Test
    void contextPath_thatSpringDoesNotUnderstand_hasNoRoute() {
        SimpleUrlHandlerMapping mapping = new SimpleUrlHandlerMapping(Map.of("/**", "handler"));
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "//app/orders");
        request.setContextPath("/app");
        assertThat(new MvcRoutes(() -> List.of(mapping)).of(request)).isNull();
    }
}
