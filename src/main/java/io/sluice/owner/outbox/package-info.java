/**
 * Delivers what commits left in the outbox: events to Kafka, released units and restocks to Redis.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: a row is marked SENT only after its
 * effect is acknowledged, and each effect is idempotent.
 */
@NullMarked
package io.sluice.owner.outbox;

import org.jspecify.annotations.NullMarked;
