/**
 * Stock in Redis: the port and its values.
 *
 * <p>Called on the event loop of its caller. Invariant: available = total - claimed + released.
 */
@NullMarked
package io.sluice.stock;

import org.jspecify.annotations.NullMarked;
