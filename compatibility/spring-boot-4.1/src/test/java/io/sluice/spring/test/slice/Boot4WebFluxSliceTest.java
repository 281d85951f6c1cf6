package io.sluice.spring.test.slice;

import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;

@WebFluxTest
class Boot4WebFluxSliceTest extends WebFluxSliceContract {}
