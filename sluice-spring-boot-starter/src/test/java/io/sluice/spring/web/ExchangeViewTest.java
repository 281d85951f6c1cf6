package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.http.ClientAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

class ExchangeViewTest {
    private static final ClientAddress ADDRESSES = new ClientAddress();

    private static ExchangeView view(MockServerHttpRequest.BaseBuilder<?> request) {
        return new ExchangeView(MockServerWebExchange.from(request), null, ADDRESSES);
    }

    @Test
    void path_hasNoContextPathParametersAndQuery() {
        ExchangeView view = view(
                MockServerHttpRequest.get("/app/orders;v=1/7;w=2%2f?page=2").contextPath("/app"));
        assertThat(view.path()).isEqualTo("/orders/7");
        assertThat(view.method()).isEqualTo("GET");
        assertThat(view.query("page")).isEqualTo("2");
        assertThat(view.query("size")).isNull();
    }

    /** As on the servlet stack. */
    @Test
    void query_withoutValue_isEmpty() {
        ExchangeView view = view(MockServerHttpRequest.get("/?flag&q={q}&q=c", "a b"));
        assertThat(view.query("flag")).isEmpty();
        assertThat(view.query("q")).isEqualTo("a b");
    }

    @Test
    void ip_behindTrustedProxy_isThatOfAllForwardedHeaders() {
        ExchangeView view = view(MockServerHttpRequest.get("/")
                .remoteAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711))
                .header("x-forwarded-for", "192.0.2.1", "198.51.100.7"));
        assertThat(view.ip()).isEqualTo("198.51.100.7");
        assertThat(view.headers("X-Forwarded-For")).containsExactly("192.0.2.1", "198.51.100.7");
        assertThat(view.header("X-FORWARDED-FOR")).isEqualTo("192.0.2.1");
        assertThat(view.headers("Forwarded")).isEmpty();
    }

    @Test
    void ip_ofUnknownPeer_isThatOfThePeer() {
        ExchangeView view = view(MockServerHttpRequest.get("/")
                .remoteAddress(InetSocketAddress.createUnresolved("203.0.113.9", 4711))
                .header("X-Forwarded-For", "192.0.2.1"));
        assertThat(view.ip()).isEqualTo("203.0.113.9");
    }

    @Test
    void route_isTheGivenOne_orThatOfTheHandler() {
        ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/orders/7"));
        assertThat(new ExchangeView(exchange, null, ADDRESSES).route()).isNull();
        exchange.getAttributes().put(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, "/orders/{id}");
        assertThat(new ExchangeView(exchange, null, ADDRESSES).route()).isEqualTo("/orders/{id}");
        assertThat(new ExchangeView(exchange, null, ADDRESSES, "orders").route())
                .isEqualTo("orders");
    }

    /** As on the servlet stack, where nobody has no principal. */
    @Test
    void principal_ofAnonymousUser_isNone() {
        ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
        Principal nobody = new AnonymousAuthenticationToken(
                "key", "anonymousUser", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));
        assertThat(new ExchangeView(exchange, nobody, ADDRESSES).principal()).isNull();
    }

    @Test
    void unwrap_givesTheExchangeOnly() {
        ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
        Principal ada = () -> "ada";
        ExchangeView view = new ExchangeView(exchange, ada, ADDRESSES);
        assertThat(view.principal()).isSameAs(ada);
        assertThat(view.unwrap(ServerWebExchange.class)).isSameAs(exchange);
        assertThatThrownBy(() -> view.unwrap(String.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("java.lang.String");
    }
}
