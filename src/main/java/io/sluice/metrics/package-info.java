/**
 * Every metric's name, tags and unit, once.
 *
 * <p>Any thread. Imports nothing of ours but {@code model}.
 */
@NullMarked
package io.sluice.metrics;

import org.jspecify.annotations.NullMarked;
