package io.sluice.benchmarks.spring;

/**
 * One run of a load on a gateway.
 *
 * @param cpuNanos the CPU time of the gateway for each request
 * @param redisNanos the CPU time of Redis for each request
 */
record GatewayRun(double perSecond, double p99Micros, double cpuNanos, double redisNanos) {}
