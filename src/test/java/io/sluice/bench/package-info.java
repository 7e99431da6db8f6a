/** Measurements, never run by the tests: figures are ratios within one run. */
package io.sluice.bench;
