/**
 * Which SKUs there are, and how much of each is left, for whoever asks.
 *
 * <p>Runs on the event loop of one HTTP verticle. Invariant: what nobody knows costs one query at a
 * time, however much of it is asked for.
 */
@NullMarked
package io.sluice.reservation.sku;

import org.jspecify.annotations.NullMarked;
