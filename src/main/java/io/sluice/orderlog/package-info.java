/**
 * The ports of the order log and the event stream, and the record format.
 *
 * <p>Any thread. Invariants: a record is appended to the partition that its bucket is in, set
 * explicitly; no offset is ever reset silently; decoding a record never throws.
 */
@NullMarked
package io.sluice.orderlog;

import org.jspecify.annotations.NullMarked;
