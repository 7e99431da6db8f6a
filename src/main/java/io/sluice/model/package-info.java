/**
 * The domain model: ids, orders, commands, refusals, and the pure functions that route them.
 *
 * <p>Any thread: every type here is immutable. Imports nothing but {@code java.*}.
 */
@NullMarked
package io.sluice.model;

import org.jspecify.annotations.NullMarked;
