/**
 * The ledger on MySQL and MariaDB: ports, transactions, tables. A table that one transaction alone
 * uses is part of it.
 *
 * <pre>
 * MySqlLedger, MySqlSkuLedger --> *Transaction --> *Table --> SqlSession
 *                                      |
 *                                 ledger.rules: decides
 * </pre>
 *
 * <p>{@code Database} repeats a transaction after a conflict, {@link
 * io.sluice.ledger.mysql.RepeatedBatches} a batch with the buckets that it lacked.
 *
 * <p>{@link io.sluice.ledger.mysql.Columns} maps rows to records, and records to parameters. SQL
 * only reads the input of a decision and writes its result. Correctness rests on row locks, unique
 * keys and the fence, so any thread of any instance may call it.
 */
@NullMarked
package io.sluice.ledger.mysql;

import org.jspecify.annotations.NullMarked;
