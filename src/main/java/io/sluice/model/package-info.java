/**
 * The words of the domain: ids, orders, commands, refusals, and the pure functions that route them.
 *
 * <p>Runs on any thread: every type here is immutable. Imports nothing but {@code java.*}.
 */
@NullMarked
package io.sluice.model;

import org.jspecify.annotations.NullMarked;
