/**
 * The answer that a caller gets instead of a result: {@link io.sluice.web.problem.Problem} (RFC
 * 9457), its types, and which failure is which. Knows no request. Immutable; any thread.
 *
 * <p>Invariant: no text of a problem has anything in it that only the log may show.
 */
@NullMarked
package io.sluice.web.problem;

import org.jspecify.annotations.NullMarked;
