/**
 * Events sent to the targets of operators, by Standard Webhooks 1.0.0: one more reader of their
 * pages, with a cursor of its own for each target, and the events that a target has not accepted.
 *
 * <p>The event loop of one verticle; signatures, messages and addresses belong to no thread. An
 * event is accepted or parked before the cursor is moved behind it. Targets share nothing: one that
 * hangs delays no other.
 */
@NullMarked
package io.sluice.webhook;

import org.jspecify.annotations.NullMarked;
