package io.sluice.spring.test.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The tests of slices find it by its package, as in every application. */
@SpringBootApplication
class SliceApplication {}
