/**
 * How work that completes later is run: loops of any length, one piece after the other, in batches,
 * with a limit of time, on the context of its caller. Knows nothing of the domain.
 *
 * <p>Everything here runs on the thread of its caller; {@link io.sluice.async.ContextDispatcher}
 * leads back to it. Invariants: no loop over data grows a chain of Futures; work that stands still
 * is told of. Imports Vert.x core only.
 */
@NullMarked
package io.sluice.async;

import org.jspecify.annotations.NullMarked;
