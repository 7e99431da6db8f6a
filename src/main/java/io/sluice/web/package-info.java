/**
 * What both ports share: the way of a request ({@link io.sluice.web.RequestPipeline}), problems
 * (RFC 9457), who a caller is, bodies and their limits, the bound of requests under way.
 *
 * <pre>
 * request -- 404/405 --> identity (401, 403) --> BodyReader (415, 413) --> InFlight (503) --> JsonFields (400) --> handler
 *                                                                                                           |
 * response &lt;-- Exchange: meters, problem or JSON, and a logged 500 for what should never happen --------------+
 * </pre>
 *
 * <p>Runs on the event loop of the port's verticle; only immutable things are shared between loops.
 * Invariant: whatever comes in, exactly one answer goes out, and no answer carries a stack trace.
 */
@NullMarked
package io.sluice.web;

import org.jspecify.annotations.NullMarked;
