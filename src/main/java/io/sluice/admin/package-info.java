/**
 * The management port: health, metrics, and what operators do with SKUs.
 *
 * <p>One verticle, {@link io.sluice.admin.AdminVerticle}, which listens first of all and works
 * while everything else is missing. Invariant: a 200 to a change means that the ledger has it and
 * Redis shows it. Imports {@code web}, {@code ledger}, {@code stock}, {@code config}, {@code
 * metrics}, {@code model}.
 */
@NullMarked
package io.sluice.admin;

import org.jspecify.annotations.NullMarked;
