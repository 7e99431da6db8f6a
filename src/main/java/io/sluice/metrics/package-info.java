/**
 * Names, tags and units of all metrics, in one place.
 *
 * <p>Any thread. Of this project, imports only {@code monitor} and {@code model}.
 */
@NullMarked
package io.sluice.metrics;

import org.jspecify.annotations.NullMarked;
