package io.sluice.testkit.fault;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;

/**
 * One connection through a {@link FaultProxy}: the client's socket and the server's. Runs on the
 * proxy's event loop.
 */
final class FaultLink {
  private final Vertx vertx;
  private final NetSocket client;
  private final NetSocket server;
  private final Runnable onReplySwallowed;
  private final BiConsumer<FaultLink, Buffer> onRequest;
  private final Direction requests;
  private final Direction replies;

  private boolean stalled;
  private boolean parted;
  private boolean swallowing;
  private boolean muted;
  private boolean lostReply;
  private Duration delay = Duration.ZERO;
  private Runnable onClosed = () -> {};

  FaultLink(
      Vertx vertx,
      NetSocket client,
      NetSocket server,
      Runnable onReplySwallowed,
      BiConsumer<FaultLink, Buffer> onRequest) {
    this.vertx = vertx;
    this.client = client;
    this.server = server;
    this.onReplySwallowed = onReplySwallowed;
    this.onRequest = onRequest;
    this.requests = new Direction(client, server);
    this.replies = new Direction(server, client);
  }

  void onClosed(Runnable then) {
    onClosed = then;
  }

  boolean lostReply() {
    return lostReply;
  }

  void apply(boolean stall, boolean part, boolean swallow, Duration by) {
    stalled = stall;
    parted = part;
    swallowing = swallow;
    delay = by;
    requests.flow();
    replies.flow();
  }

  /** Drops everything that is sent to the client from now on. */
  void mute() {
    muted = true;
  }

  void cut() {
    client.close();
    server.close();
    onClosed.run();
  }

  /** Forwards data from one socket to the other, in order, whatever the delay of each chunk. */
  private final class Direction {
    private final NetSocket from;
    private final NetSocket to;
    private final Queue<Buffer> waiting = new ArrayDeque<>();
    private int due;
    private boolean ended;

    Direction(NetSocket from, NetSocket to) {
      this.from = from;
      this.to = to;
      from.handler(this::arrive);
      from.exceptionHandler(e -> from.close());
      from.closeHandler(
          closed -> {
            ended = true;
            flow();
          });
      to.drainHandler(drained -> flow());
    }

    private void arrive(Buffer chunk) {
      waiting.add(chunk);
      if (delay.isZero()) {
        mature();
      } else {
        vertx.setTimer(delay.toMillis(), timer -> mature());
      }
    }

    private void mature() {
      due++;
      flow();
    }

    private void flow() {
      while (!stalled && due > 0) {
        due--;
        forward(waiting.remove());
      }
      if (ended && waiting.isEmpty()) {
        // In a network partition, neither side learns that the other has closed.
        if (!parted) {
          cut();
        }
      } else if (stalled || to.writeQueueFull()) {
        from.pause();
      } else {
        from.resume();
      }
    }

    private void forward(Buffer chunk) {
      if (from == client) {
        onRequest.accept(FaultLink.this, chunk);
      }
      if ((swallowing || muted) && from == server) {
        lostReply = true;
        onReplySwallowed.run();
      } else {
        to.write(chunk);
      }
    }
  }
}
