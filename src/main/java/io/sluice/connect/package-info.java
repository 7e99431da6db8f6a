/**
 * Why a server cannot be used, as a closed set of reasons that may be shown to anyone.
 *
 * <p>Pure; any thread. Invariant: the text of a reason names no address, user, path or cause.
 */
@NullMarked
package io.sluice.connect;

import org.jspecify.annotations.NullMarked;
