/**
 * The service as a whole: {@link io.sluice.Main} reads arguments and handles signals, {@link
 * io.sluice.Application} builds the parts, starts them in order and closes them in reverse order.
 *
 * <p>Main runs on the main thread and in a shutdown hook; Application on the event loop of its
 * context. Imports all packages; no package imports it.
 */
@NullMarked
package io.sluice;

import org.jspecify.annotations.NullMarked;
