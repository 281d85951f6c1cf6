package io.sluice.spring.test.slice;

import org.springframework.stereotype.Repository;

/** No part of the web layer, so a slice does not have it. */
@Repository
class OrderRepository {}
