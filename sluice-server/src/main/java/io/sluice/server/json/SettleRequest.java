package io.sluice.server.json;

/**
 * What a reserved request really used.
 *
 * @param reservation the text that names the reservation
 */
public record SettleRequest(String reservation, long permits) {}
