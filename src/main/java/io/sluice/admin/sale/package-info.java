/**
 * The operators' calls for sales: create, open, close, freeze, read.
 *
 * <p>Runs on the event loop of the management port. Invariant: a 200 or 201 for a change means that
 * the ledger has it, all SKUs of the sale have taken it over, and Redis shows it. A 202 means that
 * the ledger has it and the rest follows.
 */
@NullMarked
package io.sluice.admin.sale;

import org.jspecify.annotations.NullMarked;
