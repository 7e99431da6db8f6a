/**
 * The statements on each table of the ledger, one class for each, and their rows as values. They
 * decide nothing: the caller has the transaction and its locks.
 */
@NullMarked
package io.sluice.ledger.mysql.table;

import org.jspecify.annotations.NullMarked;
