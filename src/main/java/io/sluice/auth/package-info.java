/**
 * Who asks. Buyers are known by the header of a gateway or by a token, the back office and
 * operators by a token or because they are programs of this machine; docs/security.md says what is
 * trusted. Tokens are JWTs (RFC 7519) that others have signed, verified with keys that may change.
 *
 * <pre>
 * token --> size --> cache, by SHA-256 --------------------------------------+--> Claims.Rule --> Verdict
 *             |                                                             |
 *             +--> CompactJwt: structure, header --> KeySet --> Claims.Rule --> signature
 * </pre>
 *
 * <p>{@link io.sluice.auth.JwtVerifier} and {@link io.sluice.auth.KeyRing} are shared by all event
 * loops, and files are read on worker threads only, after the start; all else is used on the event
 * loop of the port. Invariants: the algorithm is that of the key, never what a token asks for; the
 * keys and the cache of what they have verified are replaced together.
 */
@NullMarked
package io.sluice.auth;

import org.jspecify.annotations.NullMarked;
