package io.sluice.architecture;

/**
 * A violation of a rule of {@link TidyTest}.
 *
 * @param place where it is: a path below the repository's root, with {@code #method} where it is in
 *     a method
 * @param problem what is wrong and how to repair it
 */
record Finding(String place, String problem) {}
