/**
 * The live page of the management port: its files, and the frames that show a running sale.
 *
 * <p>A frame is built at most every 250 ms, while somebody watches, and all viewers get the same
 * bytes; nothing runs while nobody does. It is built from the meters, from what was heard of the
 * owners, and from a few reads of ledger and Redis whose number does not depend on the viewers.
 * Everything runs on the event loop of {@code AdminVerticle}, except {@link
 * io.sluice.admin.page.HeardEvents}, which is thread-safe.
 *
 * <p>The files have no data in them, and anybody who reaches the port gets them; frames are for
 * readers. Nothing is decided here: buttons of the page are the operators' calls that exist.
 */
@NullMarked
package io.sluice.admin.page;

import org.jspecify.annotations.NullMarked;
