/**
 * The alarms: what an operator must be told, in the words of docs/runbook.md. {@link
 * io.sluice.alarm.Alarm#raise} logs one and counts it, so that no alarm does only one of the two.
 *
 * <p>Any thread. Knows nothing else of this project.
 */
@NullMarked
package io.sluice.alarm;

import org.jspecify.annotations.NullMarked;
