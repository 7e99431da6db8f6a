/**
 * The ledger on MySQL and MariaDB: ports, transactions, tables.
 *
 * <pre>
 * MySqlLedger, MySqlSkuLedger --> *Transaction --> *Table --> SqlSession
 *                                      |
 *                                 ledger.rules: decides
 * </pre>
 *
 * <p>SQL only loads what is decided on and writes what was decided. Correctness rests on row locks,
 * unique keys and the fence, so any thread of any instance may call it.
 */
@NullMarked
package io.sluice.ledger.mysql;

import org.jspecify.annotations.NullMarked;
