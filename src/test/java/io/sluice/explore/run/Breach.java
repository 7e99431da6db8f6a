package io.sluice.explore.run;

/**
 * A promise that was broken.
 *
 * @param rule which one; the same for all breaches of one kind
 * @param detail what was expected, and what was found
 */
public record Breach(String rule, String detail) {}
