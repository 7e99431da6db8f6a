/**
 * The configuration: one record per section, with a line per key, checked as a whole before
 * anything starts.
 *
 * <p>Read once, on a short-lived Vertx, by the main thread. A value that is not as expected is an
 * {@link io.sluice.config.InvalidConfigException} that names the key and shows no secret.
 */
@NullMarked
package io.sluice.config;

import org.jspecify.annotations.NullMarked;
