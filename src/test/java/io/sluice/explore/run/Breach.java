package io.sluice.explore.run;

/**
 * A broken promise.
 *
 * @param rule its name; the same for all breaches of one kind
 * @param detail what was expected, and what was found
 */
public record Breach(String rule, String detail) {}
