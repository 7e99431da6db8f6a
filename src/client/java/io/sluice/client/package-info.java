/**
 * A client of Sluice for Java 17 and newer, which needs nothing but the JDK: {@code
 * target/sluice-client.jar}. {@link io.sluice.client.SluiceClient} has the calls; all others are
 * the values that go in and come out.
 *
 * <p>Calls block the thread that makes them. All types are immutable or safe for use by many
 * threads. The package imports {@code java.*} alone, and no part of the service imports it.
 */
@NullMarked
package io.sluice.client;

import org.jspecify.annotations.NullMarked;
