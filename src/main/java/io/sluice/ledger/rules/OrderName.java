package io.sluice.ledger.rules;

import io.sluice.ledger.History.By;
import io.sluice.model.OrderToken;

/**
 * Something that an order is looked up by.
 *
 * @param token of the whole order
 */
public record OrderName(OrderToken token, long grantedAtMs, By by, String value) {}
