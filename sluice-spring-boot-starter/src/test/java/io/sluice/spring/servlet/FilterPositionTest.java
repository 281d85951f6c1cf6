package io.sluice.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;

/** Where the filter stands, beside that of Spring Security. */
class FilterPositionTest {
    /** @param security the setting of Spring Boot for the filter of Spring Security, whose default is -100 */
    @ParameterizedTest
    @CsvSource({"after-security,,-95", "before-security,,-105", "after-security,7,12", "before-security,7,2"})
    void filter_standsBesideThatOfSpringSecurity(String position, String security, int expected) {
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceServletAutoConfiguration.class))
                .withPropertyValues("sluice.store=memory", "sluice.web.position=" + position)
                .withPropertyValues(security == null ? "nothing=set" : "spring.security.filter.order=" + security)
                .run(context -> assertThat(context.getBean("sluiceRateLimitFilter", FilterRegistrationBean.class)
                                .getOrder())
                        .isEqualTo(expected));
    }
}
