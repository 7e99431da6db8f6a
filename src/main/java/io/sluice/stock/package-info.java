/**
 * Stock in Redis: the only place that knows Redis. {@link io.sluice.stock.StockStore} is the port,
 * one Lua script per operation behind it.
 *
 * <p>Runs on the event loop of its caller; a store is bound to one held connection. Invariant:
 * available = total - claimed + released. Imports {@code model}, {@code config}, {@code metrics}.
 */
@NullMarked
package io.sluice.stock;

import org.jspecify.annotations.NullMarked;
