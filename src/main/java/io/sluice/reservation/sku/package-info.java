/**
 * Which SKUs exist, and how much of each is left.
 *
 * <p>Runs on the event loop of one HTTP verticle. Invariant: lookups of unknown SKUs cost one query
 * at a time, however many there are.
 */
@NullMarked
package io.sluice.reservation.sku;

import org.jspecify.annotations.NullMarked;
