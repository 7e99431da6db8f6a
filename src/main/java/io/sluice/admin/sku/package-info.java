/**
 * The operators' calls for SKUs: create, restock, open, close, freeze, rebuild, read.
 *
 * <p>Runs on the event loop of the management port. Invariant: a 200 for a change means that the
 * ledger has it and Redis shows it.
 */
@NullMarked
package io.sluice.admin.sku;

import org.jspecify.annotations.NullMarked;
