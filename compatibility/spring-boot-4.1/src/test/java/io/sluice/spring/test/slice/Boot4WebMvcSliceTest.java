package io.sluice.spring.test.slice;

import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;

@WebMvcTest
class Boot4WebMvcSliceTest extends WebMvcSliceContract {}
