/** A collector of traces for tests: takes OTLP over HTTP, and shows what it was sent. */
package io.sluice.testkit.trace;
