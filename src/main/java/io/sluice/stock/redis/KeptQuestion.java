package io.sluice.stock.redis;

import io.sluice.async.TimeLimit;
import io.sluice.monitor.ConnectFault;
import io.vertx.core.Future;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A question to one server, asked over a connection that is kept until it fails. Used on one
 * context.
 */
final class KeptQuestion<T> {
  /**
   * The server that is asked.
   *
   * @param kind what it is, in one word
   * @param name its address
   * @param client makes a client for one connection
   */
  record Asked(String kind, String name, Supplier<Redis> client) {}

  private static final Logger log = LoggerFactory.getLogger(KeptQuestion.class);

  private final Asked asked;
  private final int limitMs;
  private final Function<RedisConnection, Future<T>> question;
  private @Nullable Redis client;
  private @Nullable RedisConnection connection;
  private @Nullable Future<T> asking;
  private boolean silent;

  KeptQuestion(Asked asked, int limitMs, Function<RedisConnection, Future<T>> question) {
    this.asked = asked;
    this.limitMs = limitMs;
    this.question = question;
  }

  /**
   * The answer. Callers that come while the question is open share it, so a server that hangs is
   * asked once.
   */
  Future<T> ask() {
    Future<T> open = asking;
    if (open != null) {
      return open;
    }
    Future<T> answer =
        TimeLimit.of(limitMs, connected().compose(question))
            .onSuccess(found -> heard())
            .onFailure(this::unheard);
    asking = answer;
    answer.onComplete(done -> asking = null);
    return answer;
  }

  /** Ends the connection, if there is one. */
  void close() {
    Redis last = client;
    if (last != null) {
      drop(last);
    }
  }

  private Future<RedisConnection> connected() {
    RedisConnection known = connection;
    if (known != null) {
      return Future.succeededFuture(known);
    }
    Redis fresh = asked.client().get();
    client = fresh;
    return fresh
        .connect()
        .onSuccess(
            opened -> {
              if (client == fresh) {
                connection = opened;
              }
              opened.exceptionHandler(broken -> drop(fresh)).endHandler(end -> drop(fresh));
            });
  }

  private void heard() {
    if (silent) {
      silent = false;
      log.atInfo().addKeyValue(asked.kind(), asked.name()).log("sentinel or node answers again");
    }
  }

  private void unheard(Throwable cause) {
    close();
    if (!silent) {
      silent = true;
      log.atWarn()
          .addKeyValue(asked.kind(), asked.name())
          .addKeyValue("cause", ConnectFault.line(cause))
          .log("sentinel or node does not answer; asked again each second");
    }
  }

  private void drop(Redis gone) {
    if (client == gone) {
      client = null;
      connection = null;
    }
    gone.close();
  }
}
