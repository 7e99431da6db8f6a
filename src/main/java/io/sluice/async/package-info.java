/**
 * Runs work that completes later: loops of any length, sequences, batches, rates and time limits,
 * on the context of the caller. Knows nothing of the domain.
 *
 * <p>Everything runs on the thread of its caller; {@link io.sluice.async.ContextDispatcher} returns
 * to it. Invariants: no loop over data grows a chain of Futures; stuck work raises an alarm.
 * Imports Vert.x core, a rate limiter and the alarms only.
 */
@NullMarked
package io.sluice.async;

import org.jspecify.annotations.NullMarked;
