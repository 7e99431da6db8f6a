package io.sluice.stock.redis;

import io.sluice.monitor.ConnectFault;

/** This Redis is not configured to hold stock; the message tells the operator what to change. */
final class UnfitRedisException extends RuntimeException implements ConnectFault.Known {
  private static final long serialVersionUID = 1L;

  UnfitRedisException(String message) {
    super(message, null, false, false);
  }

  @Override
  public ConnectFault connectFault() {
    return ConnectFault.UNFIT;
  }
}
