/**
 * The service as a whole: {@link io.sluice.Main} reads arguments and minds signals, {@link
 * io.sluice.Application} builds the parts, deploys them upward and closes them downward.
 *
 * <p>Main runs on the main thread and in a shutdown hook; Application on the event loop of its
 * context. Imports everything, and nothing imports it.
 */
@NullMarked
package io.sluice;

import org.jspecify.annotations.NullMarked;
