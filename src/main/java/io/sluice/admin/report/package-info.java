/**
 * The report of a sale: what happened in it, as JSON and as one page of HTML that needs nothing
 * else.
 *
 * <p>Runs on the event loop of the management port. Reads the ledger in slices of bounded size, one
 * after the other; the memory of a report depends on the number of SKUs, not of orders. Names from
 * outside are text on the page, never markup.
 */
@NullMarked
package io.sluice.admin.report;

import org.jspecify.annotations.NullMarked;
