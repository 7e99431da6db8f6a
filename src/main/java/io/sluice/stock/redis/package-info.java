/**
 * The only package that knows Redis: one connection, one Lua script per operation, one EVALSHA for
 * all waiting calls of a script.
 *
 * <pre>
 * RedisStock, ClusterStock -- RedisStockStore -- RedisNode.Lane -- LuaBatcher -- RedisLink
 * where is its partition?     a call a script    of a partition    a shared       the
 *                                                                  EVALSHA        connection
 * </pre>
 *
 * <p>Runs on the event loop of its caller; a store is bound to one connection. Invariant: a script
 * whose reply is lost may run again, and has its effect once.
 */
@NullMarked
package io.sluice.stock.redis;

import org.jspecify.annotations.NullMarked;
