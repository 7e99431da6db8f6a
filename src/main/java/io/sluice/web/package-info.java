/**
 * What both ports share, from the connection to the answer.
 *
 * <pre>
 * connection: OpenConnections (how many, with which PortTls), RequestDecoder, OverloadGate
 *     |
 * request -- 404/405 --> caller (401, 403, 429) --> query (400) --> body (415, 413) --> InFlight (503) --> handler
 *                                                                                                           |
 * response &lt;-- Exchange: meters, problem or JSON, and a logged 500 for unexpected failures -------------------+
 * </pre>
 *
 * <p>{@link io.sluice.web.RequestPipeline} has the second line, {@link io.sluice.web.Problem} is
 * the answer instead of a result; a value that is not as expected is a problem that names the
 * field. Runs on the event loop of the port's verticle; only immutable objects are shared between
 * loops. Invariants: every request gets exactly one answer, and no answer has anything in it that
 * only the log may show.
 */
@NullMarked
package io.sluice.web;

import org.jspecify.annotations.NullMarked;
