/**
 * The identity of a caller. Buyers are known by the header of a gateway or by a token, the back
 * office and operators by a token or because they are programs of this machine. Each way is a
 * {@link io.sluice.web.Exchange.Guard}; docs/security.md says what is trusted. Used on the event
 * loop of the port.
 */
@NullMarked
package io.sluice.web.caller;

import org.jspecify.annotations.NullMarked;
