/**
 * The configuration: one record per section, with a line per key, checked as a whole before
 * anything starts.
 *
 * <p>Read once, on a short-lived Vertx, by the main thread. {@code value} knows how one value is
 * read, and no section.
 */
@NullMarked
package io.sluice.config;

import org.jspecify.annotations.NullMarked;
