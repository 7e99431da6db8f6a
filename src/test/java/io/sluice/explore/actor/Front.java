package io.sluice.explore.actor;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Fault;
import io.sluice.explore.store.Wire;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The load balancer and network between buyers and instances: a request may reach any instance, and
 * request or reply may be lost.
 */
public final class Front {
  private static final long PATIENCE_US = 4_000_000;

  private final World world;

  public Front(World world) {
    this.world = world;
  }

  /** Sends a request to any instance; the reply is empty where the buyer's time-out expired. */
  public <T> void ask(
      String buyer, int count, Function<ApiNode, Future<T>> request, Consumer<Optional<T>> reply) {
    SplittableRandom draws = world.chance().of(buyer, "ask", count);
    Fault fault = world.faults().drawForRequest(buyer, count, draws);
    Exchange<T> exchange = new Exchange<>(request, reply, fault == Fault.REPLY_LOST);
    if (fault != Fault.REQUEST_LOST) {
      exchange.send(draws);
    }
    if (fault == Fault.TWICE) {
      exchange.send(draws);
    }
    world.scheduler().after(PATIENCE_US, () -> exchange.end(Optional.empty()));
  }

  private final class Exchange<T> {
    private final Function<ApiNode, Future<T>> request;
    private final Consumer<Optional<T>> reply;
    private final boolean replyLost;
    private boolean ended;

    Exchange(Function<ApiNode, Future<T>> request, Consumer<Optional<T>> reply, boolean replyLost) {
      this.request = request;
      this.reply = reply;
      this.replyLost = replyLost;
    }

    void send(SplittableRandom draws) {
      ApiNode api = world.instances().anyApi(draws);
      long backUs = Wire.travelUs(draws);
      if (api != null) {
        api.node()
            .after(Wire.travelUs(draws), () -> request.apply(api).onSuccess(a -> back(a, backUs)));
      }
    }

    private void back(T answer, long afterUs) {
      if (!replyLost) {
        world.scheduler().after(afterUs, () -> end(Optional.of(answer)));
      }
    }

    void end(Optional<T> answer) {
      if (!ended) {
        ended = true;
        reply.accept(answer);
      }
    }
  }
}
