/**
 * A buyer's side of an order. What its three rooms work with is here: {@code grant} makes orders,
 * {@code order} follows them, {@code sku} knows what there is to order.
 *
 * <p>Of Vert.x the classes below know Futures only: {@link io.sluice.async.LoopContext} brings time
 * and timers.
 */
@NullMarked
package io.sluice.reservation;

import org.jspecify.annotations.NullMarked;
