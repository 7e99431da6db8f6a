/**
 * The known ways to sell scarce stock, each as its advocates describe it and no better: small
 * honest code, one class a scheme, behind the same bare HTTP server. They are here to be measured
 * against, on the same backends and the same sale; nothing of them is used by the service.
 *
 * <pre>
 *   SchemeServer ── Scheme: LuaAlone | LockedDatabase | OptimisticVersion | ConditionalUpdate
 *                           | DecrementAndMark | IncrementToCeiling | QueuedOneByOne
 *                ── SchemeParts: a Redis connection per event loop, a pool, a producer
 * </pre>
 */
package io.sluice.bench.schemes;
