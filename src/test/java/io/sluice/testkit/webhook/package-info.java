/** A target of events, as those have one who sell with Sluice. */
package io.sluice.testkit.webhook;
