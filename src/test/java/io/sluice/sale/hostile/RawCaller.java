package io.sluice.sale.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sends bytes over a connection of their own, and returns all that is answered. */
final class RawCaller {
  private static final int CONNECT_MS = 10_000;

  private final NetClient client;

  RawCaller(Vertx vertx) {
    this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_MS));
  }

  /**
   * Completes when the server has closed the connection, or after the limit with what it has sent
   * until then; fails where it does neither.
   */
  Future<String> send(int port, byte[] request, Duration limit) {
    return client
        .connect(port, "127.0.0.1")
        .compose(
            socket -> {
              Promise<String> answer = Promise.promise();
              Buffer received = Buffer.buffer();
              socket.handler(received::appendBuffer);
              socket.exceptionHandler(reset -> {});
              socket.closeHandler(closed -> answer.tryComplete(received.toString(ISO_8859_1)));
              socket.write(Buffer.buffer(request));
              return answer
                  .future()
                  .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                  .recover(
                      open ->
                          received.length() > 0
                              ? Future.succeededFuture(received.toString(ISO_8859_1))
                              : Future.failedFuture("neither answered nor closed in " + limit))
                  .onComplete(done -> socket.close());
            });
  }

  /** A connection that sends nothing; completes with what closes it. */
  Future<Runnable> idle(int port) {
    return client.connect(port, "127.0.0.1").map(socket -> socket::close);
  }
}
