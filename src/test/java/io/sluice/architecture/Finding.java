package io.sluice.architecture;

/**
 * Something untidy.
 *
 * @param place what to open: a path below the repository's root, with {@code #method} where it is
 *     one
 * @param problem what is wrong with it and what to do
 */
record Finding(String place, String problem) {}
