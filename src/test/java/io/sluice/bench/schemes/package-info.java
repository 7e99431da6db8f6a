/**
 * The known ways to sell scarce stock, each implemented as it is usually described and without
 * improvements, one class per scheme, behind the same plain HTTP server. They are measured for
 * comparison, on the same backends and with the same sale; the service uses nothing of them.
 *
 * <pre>
 *   SchemeServer ── Scheme: LuaAlone | LockedDatabase | OptimisticVersion | ConditionalUpdate
 *                           | DecrementAndMark | IncrementToCeiling | QueuedOneByOne
 *                ── SchemeParts: a Redis connection per event loop, a pool, a producer
 * </pre>
 */
package io.sluice.bench.schemes;
