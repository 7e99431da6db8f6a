package io.sluice.stock.redis;

import io.sluice.config.ServerUri;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One sentinel, asked over a connection that is kept until a question fails. Used on one context.
 */
final class Sentinel {
  private static final int ADDRESS_PARTS = 2;

  private final ServerUri server;
  private final String master;
  private final KeptQuestion<Response> question;

  /**
   * @param master the name of the Redis that it watches
   */
  Sentinel(ServerUri server, String master, RedisClients clients) {
    this.server = server;
    this.master = master;
    String name = server.hostInUri() + ":" + server.portOr(RedisClients.SENTINEL_PORT);
    this.question =
        new KeptQuestion<>(
            new KeptQuestion.Asked("sentinel", name, () -> clients.clientOf(server)),
            2 * clients.timeoutMs(),
            this::ask);
  }

  /** The address that this sentinel knows; empty if it does not watch such a Redis. */
  Future<Optional<RedisAddress>> primary() {
    return question.ask().map(Sentinel::address);
  }

  /** Many sentinels have no login; one that wants it says so. */
  private Future<Response> ask(RedisConnection opened) {
    Request asking = Request.cmd(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master);
    return opened
        .send(asking)
        .recover(
            cause ->
                RedisFailures.isErrorReply(cause, "NOAUTH") && !server.password().isEmpty()
                    ? opened.send(login()).compose(in -> opened.send(asking))
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
}
