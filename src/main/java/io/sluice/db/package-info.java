/**
 * Access to the database: the pool, transactions with time limits and retries, statements and
 * migrations.
 *
 * <p>Runs on the event loop of its caller, and completes there. Invariant: every connection from
 * the pool is READ COMMITTED, strict and limited in time. Knows nothing of the domain.
 */
@NullMarked
package io.sluice.db;

import org.jspecify.annotations.NullMarked;
