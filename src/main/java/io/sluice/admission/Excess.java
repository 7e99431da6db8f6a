package io.sluice.admission;

/**
 * A call that is over a limit.
 *
 * @param quota how many calls the limit allows; 0 if the buyer is banned
 * @param windowS in how many seconds
 * @param retryAfterS after how many seconds the limit has room again, at least 1
 */
public record Excess(Limit limit, int quota, int windowS, int retryAfterS) {}
