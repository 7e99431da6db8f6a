/**
 * How log lines are written: as text (logback.xml) or as JSON, and how often the same one is.
 *
 * <p>Any thread. Of this project, imports only {@code monitor}.
 */
@NullMarked
package io.sluice.log;

import org.jspecify.annotations.NullMarked;
