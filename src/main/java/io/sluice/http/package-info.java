/**
 * The public port: the calls of buyers and of the back office, as specified in docs/design.md
 * section 10.
 *
 * <p>Each {@link io.sluice.http.HttpVerticle} runs on its own event loop with its own {@link
 * io.sluice.http.Routes} and their dependencies; they share the port. The one hot call, {@code POST
 * /v1/orders}, bypasses the router. Invariant: nothing here decides about stock; it reads requests
 * and formats answers.
 */
@NullMarked
package io.sluice.http;

import org.jspecify.annotations.NullMarked;
