/**
 * The public port: the calls of buyers and of the back office, as specified in docs/design.md
 * section 10.
 *
 * <p>Each event loop of {@link io.sluice.http.PublicPort} has its own routes and their
 * dependencies; they share the port. The one hot call, {@code POST /v1/orders}, bypasses the
 * router. Invariant: nothing here decides about stock; it reads requests and formats answers.
 */
@NullMarked
package io.sluice.http;

import org.jspecify.annotations.NullMarked;
