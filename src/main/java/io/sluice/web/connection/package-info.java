/**
 * The connections of both ports, before there is a request: how many, for how long, with which
 * certificate, and which bytes are not taken for HTTP. A crowd that is too large is refused here,
 * by {@link io.sluice.web.connection.OverloadGate}. Each connection is used by its event loop only.
 */
@NullMarked
package io.sluice.web.connection;

import org.jspecify.annotations.NullMarked;
