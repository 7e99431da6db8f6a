package io.sluice.web;

import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/** How both ports are served. */
public final class ServerSettings {
  private static final int IDLE_S_MAX = 60;

  /**
   * Connections that wait to be accepted: a stampede arrives within a second. The kernel may allow
   * fewer.
   */
  private static final int BACKLOG_MAX = 4_096;

  private ServerSettings() {}

  public static HttpServerOptions options(String host, int port) {
    return new HttpServerOptions()
        .setHost(host)
        .setPort(port)
        .setHttp2ClearTextEnabled(false)
        .setAcceptBacklog(BACKLOG_MAX)
        .setIdleTimeout(IDLE_S_MAX)
        .setIdleTimeoutUnit(TimeUnit.SECONDS);
  }
}
