/**
 * Shared by both ports: the pipeline of a request ({@link io.sluice.web.RequestPipeline}), bodies
 * and their limits, the limit of requests in flight. Next to it: {@code connection}, where requests
 * come from; {@code caller}, their senders; {@code format}, their values; {@code problem}, the
 * answers instead of a result.
 *
 * <pre>
 * request -- 404/405 --> identity (401, 403) --> query (400) --> body (415, 413) --> InFlight (503) --> handler
 *                                                                                                           |
 * response &lt;-- Exchange: meters, problem or JSON, and a logged 500 for unexpected failures -------------------+
 * </pre>
 *
 * <p>Runs on the event loop of the port's verticle; only immutable objects are shared between
 * loops. Invariant: every request gets exactly one answer, and no answer has a stack trace.
 */
@NullMarked
package io.sluice.web;

import org.jspecify.annotations.NullMarked;
