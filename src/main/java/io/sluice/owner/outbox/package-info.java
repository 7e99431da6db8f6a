/**
 * What commits left behind, passed on: events to Kafka, released units and restocks to Redis.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: a row is marked only after its
 * effect is acknowledged; an effect that comes twice is one.
 */
@NullMarked
package io.sluice.owner.outbox;

import org.jspecify.annotations.NullMarked;
