package com.example.orders;

/** An order of a tenant. */
record Order(long id, String tenant, String item) {}
