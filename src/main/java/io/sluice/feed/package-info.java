/**
 * Events for listeners without Kafka: those that the ledger has numbered, in pages, and the
 * listeners that wait for the next one.
 *
 * <p>Any thread; a Future completes on its caller's context. Nothing is kept of a listener: its
 * cursor says all.
 */
@NullMarked
package io.sluice.feed;

import org.jspecify.annotations.NullMarked;
