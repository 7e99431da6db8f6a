package io.sluice.stock.redis;

import io.sluice.async.TimeLimit;
import io.sluice.config.value.ServerUri;
import io.sluice.connect.ConnectFault;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One sentinel, asked over a connection that is kept until a question fails. Used on one context.
 */
final class Sentinel {
  private static final int ADDRESS_PARTS = 2;
  private static final Logger log = LoggerFactory.getLogger(Sentinel.class);

  private final ServerUri server;
  private final String master;
  private final RedisClients clients;
  private @Nullable Redis client;
  private @Nullable RedisConnection connection;
  private @Nullable Future<Optional<RedisAddress>> asking;
  private boolean silent;

  /**
   * @param master the name of the Redis that it watches
   */
  Sentinel(ServerUri server, String master, RedisClients clients) {
    this.server = server;
    this.master = master;
    this.clients = clients;
  }

  /**
   * The address that this sentinel knows; empty where it does not watch such a Redis. Questions
   * that come while one is open share its answer, so that one that hangs is asked once.
   */
  Future<Optional<RedisAddress>> primary() {
    Future<Optional<RedisAddress>> open = asking;
    if (open != null) {
      return open;
    }
    Future<Optional<RedisAddress>> asked =
        TimeLimit.of(2L * clients.timeoutMs(), connected().compose(this::ask))
            .map(Sentinel::address)
            .onSuccess(found -> heard())
            .onFailure(this::unheard);
    asking = asked;
    asked.onComplete(done -> asking = null);
    return asked;
  }

  private Future<RedisConnection> connected() {
    RedisConnection known = connection;
    if (known != null) {
      return Future.succeededFuture(known);
    }
    Redis fresh = clients.clientOf(server);
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

  /** Many sentinels have no login; one that wants it says so. */
  private Future<Response> ask(RedisConnection opened) {
    Request question = Request.cmd(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master);
    return opened
        .send(question)
        .recover(
            cause ->
                RedisFailures.isErrorReply(cause, "NOAUTH") && !server.password().isEmpty()
                    ? opened.send(login()).compose(in -> opened.send(question))
                    : Future.failedFuture(cause));
  }

  private Request login() {
    return server.user().isEmpty()
        ? Request.cmd(Command.AUTH, server.password())
        : Request.cmd(Command.AUTH, server.user(), server.password());
  }

  private static Optional<RedisAddress> address(@Nullable Response reply) {
    return reply == null || reply.size() < ADDRESS_PARTS
        ? Optional.empty()
        : Optional.of(new RedisAddress(reply.get(0).toString(), reply.get(1).toInteger()));
  }

  private void heard() {
    if (silent) {
      silent = false;
      log.atInfo().addKeyValue("sentinel", name()).log("sentinel answers again");
    }
  }

  private void unheard(Throwable cause) {
    Redis failed = client;
    if (failed != null) {
      drop(failed);
    }
    if (!silent) {
      silent = true;
      log.atWarn()
          .addKeyValue("sentinel", name())
          .addKeyValue("cause", ConnectFault.line(cause))
          .log("sentinel does not answer; asked again each second");
    }
  }

  private void drop(Redis gone) {
    if (client == gone) {
      client = null;
      connection = null;
    }
    gone.close();
  }

  private String name() {
    return server.hostInUri() + ":" + server.portOr(RedisClients.SENTINEL_PORT);
  }
}
