/**
 * The only place that knows Redis: one held connection, one Lua script an operation, one EVALSHA
 * for all calls that wait.
 *
 * <p>Runs on the event loop of its caller; a store is bound to one held connection. Invariant: a
 * script whose reply is lost may run again, and has one effect.
 */
@NullMarked
package io.sluice.stock.redis;

import org.jspecify.annotations.NullMarked;
