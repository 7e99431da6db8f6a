/**
 * How work that completes later is run: loops of any length. Knows nothing of the domain.
 *
 * <p>Everything here runs on the thread of its caller. Imports Vert.x core only.
 */
@NullMarked
package io.sluice.async;

import org.jspecify.annotations.NullMarked;
