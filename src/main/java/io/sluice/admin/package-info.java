/**
 * The management port: health, metrics, and the operators' calls.
 *
 * <p>One verticle, {@link io.sluice.admin.AdminVerticle}, which listens before anything else and
 * works while everything else is unavailable; all calls run on its event loop. A 200 or 201 for a
 * change of a SKU or a sale means that the ledger has it, all its SKUs have taken it over, and
 * Redis shows it; a 202 that the ledger has it and the rest follows.
 */
@NullMarked
package io.sluice.admin;

import org.jspecify.annotations.NullMarked;
