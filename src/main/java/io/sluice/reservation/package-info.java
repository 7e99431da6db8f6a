/**
 * The buyers' side of orders. This package has what the three below share: {@code grant} makes
 * orders, {@code order} looks them up and changes them, {@code sku} knows the SKUs and their
 * levels.
 *
 * <p>Of Vert.x, the packages below use Futures only: {@link io.sluice.async.LoopContext} gives time
 * and timers.
 */
@NullMarked
package io.sluice.reservation;

import org.jspecify.annotations.NullMarked;
