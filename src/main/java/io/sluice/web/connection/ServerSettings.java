package io.sluice.web.connection;

import io.sluice.model.Limits;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/** The HTTP server settings of both ports. */
public final class ServerSettings {
  /**
   * Longer than load balancers keep an idle connection by default (nginx, cloud load balancers: 60
   * s). The one that closes it must be the one that sends requests on it, else some meet the close.
   */
  private static final int IDLE_S_MAX = 75;

  /**
   * The maximum number of connections waiting to be accepted: a stampede arrives within a second.
   * The kernel may allow fewer.
   */
  private static final int BACKLOG_MAX = 4_096;

  private ServerSettings() {}

  public static HttpServerOptions options(String host, int port, int headerBytesMax) {
    return new HttpServerOptions()
        .setHost(host)
        .setPort(port)
        .setHttp2ClearTextEnabled(false)
        // Neither port speaks WebSocket, and the handlers for it refuse more than 128 requests that
        // wait for their answers.
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setMaxInitialLineLength(Limits.REQUEST_LINE_BYTES_MAX)
        .setMaxHeaderSize(headerBytesMax)
        .setAcceptBacklog(BACKLOG_MAX)
        .setIdleTimeout(IDLE_S_MAX)
        .setIdleTimeoutUnit(TimeUnit.SECONDS);
  }
}
