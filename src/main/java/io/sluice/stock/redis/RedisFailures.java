package io.sluice.stock.redis;

import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.List;

/** Tells the error replies of Redis apart. */
final class RedisFailures {
  private static final List<String> LOGIN =
      List.of("WRONGPASS", "NOAUTH", "ERR invalid password", "ERR AUTH");
  private static final String NO_PERMISSION = "NOPERM";

  /** How the client itself answers calls that were in flight when the connection was lost. */
  private static final String CLOSED = "CONNECTION_CLOSED";

  private RedisFailures() {}

  /** Whether Redis answered with an error; otherwise the connection failed. */
  static boolean isErrorReply(Throwable cause) {
    return cause instanceof Response reply
        && reply.type() == ResponseType.ERROR
        && !isConnectionLost(cause);
  }

  private static boolean isConnectionLost(Throwable cause) {
    return CLOSED.equals(cause.getMessage());
  }

  /**
   * Whether Redis answered with an error of this kind, e.g. {@code READONLY}. Redis 6 wraps errors
   * from inside a script: {@code ERR Error running script ...: -READONLY ...}.
   */
  static boolean isErrorReply(Throwable cause, String kind) {
    String message = cause.getMessage();
    return isErrorReply(cause) && message != null && message.contains(kind);
  }

  /** Why no connection could be opened, with a message for the operator. */
  static ConnectFailure classified(Throwable cause) {
    return cause instanceof ConnectFailure known ? known : new ConnectFailure(fault(cause), cause);
  }

  private static ConnectFault fault(Throwable cause) {
    if (LOGIN.stream().anyMatch(kind -> isErrorReply(cause, kind))) {
      return ConnectFault.LOGIN_REFUSED;
    }
    if (isErrorReply(cause, NO_PERMISSION)) {
      return ConnectFault.PERMISSION_MISSING;
    }
    return isConnectionLost(cause) ? ConnectFault.UNREACHABLE : ConnectFault.of(cause);
  }
}
