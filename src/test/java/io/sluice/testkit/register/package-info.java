/**
 * Which test moves which metric of metrics.yaml, and which one provokes which alarm: an annotation
 * at the test says it, and fails the test where it is not so. {@code RegisterTest} checks that none
 * is missing.
 */
package io.sluice.testkit.register;
