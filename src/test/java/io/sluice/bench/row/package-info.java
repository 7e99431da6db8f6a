/** The rows of the benchmarks: how each is prepared on a site, and measured once. */
package io.sluice.bench.row;
