/**
 * What an operator must be told, and whether this instance can do its work: alarms in the words of
 * docs/runbook.md ({@link io.sluice.monitor.Alarm#raise} logs one and counts it, so that no alarm
 * does only one of the two), which parts are away, why a server cannot be used in words that may be
 * shown to anyone, readiness, clocks and heartbeats.
 *
 * <p>Any thread, if nothing else is said. Knows nothing else of this project.
 */
@NullMarked
package io.sluice.monitor;

import org.jspecify.annotations.NullMarked;
