/**
 * The public port: buyers' and the back office's calls, as docs/design.md section 10 fixes them.
 *
 * <p>Each {@link io.sluice.http.HttpVerticle} runs on its own event loop with its own {@link
 * io.sluice.http.Routes} and what stands behind them; they share the port. The one hot call, {@code
 * POST /v1/orders}, passes no router. Invariant: nothing here decides anything about stock; it
 * reads requests and words answers.
 */
@NullMarked
package io.sluice.http;

import org.jspecify.annotations.NullMarked;
