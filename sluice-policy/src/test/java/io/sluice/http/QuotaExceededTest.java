package io.sluice.http;

import static io.sluice.http.Results.denied;
import static io.sluice.http.Results.enforced;
import static io.sluice.http.Results.shadow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import org.junit.jupiter.api.Test;

class QuotaExceededTest {
    @Test
    void json_denied_namesThePolicies() {
        QuotaExceeded problem = QuotaExceeded.of(denied(
                1_500_000,
                enforced("a\"\n", "10/s", Decision.denied(0, 1, 1)),
                enforced("b", "10/s", Decision.allowed(1, 0, 1)),
                shadow("c", "10/s", Decision.denied(0, 1, 1)),
                enforced("d", "10/s", Decision.denied(0, 1_500_000, 1))));
        assertThat(problem.toJson())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Quota exceeded\",\"status\":429,\"detail\":\"Try again in 2 seconds.\","
                        + "\"violated-policies\":[\"a\\\"\\n\",\"d\"]}");
    }

    @Test
    void detail_neverAllowed_namesNoTime() {
        assertThat(QuotaExceeded.of(denied(Decision.NEVER)).detail()).startsWith("Trying again will not help");
        assertThat(QuotaExceeded.of(denied(1)).detail()).isEqualTo("Try again in 1 second.");
    }
}
