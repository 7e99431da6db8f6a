package io.sluice.explore;

/**
 * A promise that was broken.
 *
 * @param rule which one; the same for all breaches of one kind
 * @param detail what was expected, and what was found
 */
record Breach(String rule, String detail) {}
