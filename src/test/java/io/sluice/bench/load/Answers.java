package io.sluice.bench.load;

import io.netty.buffer.ByteBuf;

/** Whoever sends requests over {@link LoadConnection}s; called on their event loop. */
interface Answers {
  /** The answer is released after the call. */
  void answered(LoadConnection connection, int status, ByteBuf answer, long sinceNs);

  /** The connection broke while an answer was due. */
  void broken(LoadConnection connection);

  /** The connection was closed while no answer was due. */
  default void closed(LoadConnection connection) {}
}
