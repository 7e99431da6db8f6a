/**
 * Load for the benchmarks, from a process of its own: wrk where it is installed, else {@link
 * io.sluice.bench.load.LoadMain}, which also keeps to a constant rate (wrk cannot). Whatever is
 * compared is driven by the same one.
 */
package io.sluice.bench.load;
