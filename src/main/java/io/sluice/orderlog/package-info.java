/**
 * The order log and the event stream: the only place that knows Kafka.
 *
 * <p>Producers and consumers run on their own threads; every Future completes on the caller's
 * context. Invariant: a record is appended to the partition that its bucket hashes to, set
 * explicitly. Imports {@code model}, {@code config}, {@code metrics}.
 */
@NullMarked
package io.sluice.orderlog;

import org.jspecify.annotations.NullMarked;
