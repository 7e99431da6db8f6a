package io.sluice.bench.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import java.util.ArrayDeque;
import java.util.function.Function;

/**
 * Connections for one kind of request, opened when one is needed and none is free; used on one
 * event loop.
 */
final class Lane {
  /** The outcome of a request. */
  interface Listener {
    /** Status 0: there was no answer. */
    void heard(int status, ByteBuf answer, long dueNs);
  }

  private final Bootstrap bootstrap;
  private final int connectionsMax;
  private final Listener listener;
  private final ArrayDeque<LoadConnection> idle = new ArrayDeque<>();
  private int open;
  private int underWay;

  /** {@code bootstrap} has the address. */
  Lane(Bootstrap bootstrap, int connectionsMax, Listener listener) {
    this.bootstrap = bootstrap;
    this.connectionsMax = connectionsMax;
    this.listener = listener;
  }

  boolean hasRoom() {
    return !idle.isEmpty() || open < connectionsMax;
  }

  /** Requests without an answer. */
  int underWay() {
    return underWay;
  }

  /** Only while there is room; its latency counts from {@code dueNs}. */
  void send(Function<ByteBufAllocator, ByteBuf> request, long dueNs) {
    underWay++;
    LoadConnection free = idle.poll();
    if (free != null) {
      free.send(request, dueNs);
      return;
    }
    open++;
    LoadConnection opened = new LoadConnection(this);
    ChannelFuture connected = bootstrap.clone().handler(opened).connect();
    connected.addListener(
        done -> {
          if (done.isSuccess()) {
            opened.send(request, dueNs);
          } else {
            lost(dueNs);
          }
        });
  }

  /** The answer is released after the call. */
  void answered(LoadConnection connection, int status, ByteBuf answer, long sinceNs) {
    underWay--;
    idle.add(connection);
    listener.heard(status, answer, sinceNs);
  }

  /** A connection broke while an answer was due. */
  void broken() {
    lost(0);
  }

  /** It was closed while no answer was due. */
  void closed(LoadConnection connection) {
    // One whose connecting failed was never idle, and is counted by the failure.
    if (idle.remove(connection)) {
      open--;
    }
  }

  private void lost(long dueNs) {
    open--;
    underWay--;
    listener.heard(0, Unpooled.EMPTY_BUFFER, dueNs);
  }
}
