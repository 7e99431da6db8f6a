/**
 * Tokens that others have signed: JWTs (RFC 7519) of buyers and of waiting rooms, verified with
 * keys that may change while the instance runs.
 *
 * <pre>
 * token --> size --> cache, by SHA-256 --------------------------------------+--> Claims.Rule --> Verdict
 *             |                                                             |
 *             +--> CompactJwt: structure, header --> KeySet --> Claims.Rule --> signature
 * </pre>
 *
 * <p>{@link io.sluice.jwt.JwtVerifier} and {@link io.sluice.jwt.KeyRing} are shared by all event
 * loops; files are read on worker threads only, after the start. Invariants: the algorithm is that
 * of the key, never what a token asks for; the keys and the cache of what they have verified are
 * replaced together.
 */
@NullMarked
package io.sluice.jwt;

import org.jspecify.annotations.NullMarked;
