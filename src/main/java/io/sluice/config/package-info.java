/**
 * The configuration: one record per section, checked whole before anything starts.
 *
 * <p>Read once, on a short-lived Vertx, by the main thread. Imports nothing of ours but {@code
 * model}.
 */
@NullMarked
package io.sluice.config;

import org.jspecify.annotations.NullMarked;
