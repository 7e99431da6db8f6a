/**
 * The way to the database: the pool, transactions with their time limits and retries, the
 * statements and the migrations.
 *
 * <p>Runs on the event loop of its caller, and completes there. Invariant: every connection that
 * leaves the pool is READ COMMITTED, strict and limited in time. Knows nothing of the domain.
 */
@NullMarked
package io.sluice.db;

import org.jspecify.annotations.NullMarked;
