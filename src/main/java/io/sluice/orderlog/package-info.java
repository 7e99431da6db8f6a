/**
 * The order log and the event stream: the ports, and the form of a record.
 *
 * <p>Any thread. Invariants: a record is appended to the partition that its bucket hashes to, set
 * explicitly; no offset is ever reset silently; whatever a record holds, reading it throws nothing.
 */
@NullMarked
package io.sluice.orderlog;

import org.jspecify.annotations.NullMarked;
