package com.example.orders;

/** A customer, with the plan that it pays for. */
record Tenant(String name, String plan) {}
