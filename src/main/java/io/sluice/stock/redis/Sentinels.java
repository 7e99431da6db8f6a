package io.sluice.stock.redis;

import io.sluice.async.ContextDispatcher;
import io.sluice.async.SharedQuestion;
import io.sluice.config.ServerUri;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sentinels that watch a Redis. The primary is where a majority of all of them says it is; so
 * one that hangs, is cut off, or tells something else is outvoted.
 *
 * <p>They are asked for each new connection, and each second while one is used. Nothing is
 * subscribed to: a subscription that is lost says nothing. May be asked from any context.
 */
final class Sentinels {
  /** The connections of an instance ask each second. */
  private static final int GATHER_MS = 2;

  private final SharedQuestion<String, RedisAddress> question;
  private final List<Sentinel> all;
  private final String master;

  /** Belongs to the context that creates it. */
  Sentinels(Vertx vertx, List<Sentinel> all, String master) {
    ContextDispatcher home = ContextDispatcher.here(vertx);
    this.question =
        new SharedQuestion<>(SharedQuestion.same(() -> home.call(this::ask)), GATHER_MS);
    this.all = all;
    this.master = master;
  }

  /** Where the primary is now; fails if no majority of the sentinels names one address. */
  Future<RedisAddress> primary() {
    return question.ask("primary");
  }

  private Future<RedisAddress> ask() {
    Vote vote = new Vote();
    all.forEach(sentinel -> sentinel.primary().onComplete(vote::count));
    return vote.outcome.future();
  }

  /** Completes as soon as a majority agrees: it does not wait for one that hangs. */
  private final class Vote {
    private final Promise<RedisAddress> outcome = Promise.promise();
    private final Map<String, Integer> named = new TreeMap<>();
    private int without;
    private int silent;
    private int counted;

    void count(@Nullable Optional<RedisAddress> answer, @Nullable Throwable failure) {
      counted++;
      if (failure != null || answer == null) {
        silent++;
      } else if (answer.isEmpty()) {
        without++;
      } else {
        RedisAddress address = answer.get();
        int votes = named.merge(address.toString(), 1, Integer::sum);
        if (isMajority(votes)) {
          outcome.tryComplete(address);
        }
      }
      if (counted == all.size()) {
        outcome.tryFail(disagreement());
      }
    }

    private boolean isMajority(int votes) {
      return 2 * votes > all.size();
    }

    private ConnectFailure disagreement() {
      String message =
          "Expected most of %d sentinels to name one address of the master %s, but they named %s, %d do not know it, and %d do not answer"
              .formatted(all.size(), master, named.isEmpty() ? "none" : named, without, silent);
      return new ConnectFailure(
          isMajority(without) ? ConnectFault.UNFIT : ConnectFault.UNREACHABLE, message);
    }
  }

  /**
   * One sentinel, asked over a connection that is kept until a question fails. Used on one context.
   */
  static final class Sentinel {
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
              2 * clients.config().timeoutMs(),
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
}
