package io.sluice.owner;

import io.sluice.testkit.ManualClock;
import io.sluice.testkit.Ports;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The part of Vert.x that verticles with timers and calls need, on a clock that a test moves: no
 * threads, and nothing runs unless the test says so.
 */
final class ManualVertx {
  private interface Handling {
    Object call(Method method, Object[] arguments) throws Exception;
  }

  private record Alarm(Deployment of, long id, Instant due, long everyMs, Handler<Long> handler) {}

  private final ManualClock clock;
  private final List<Alarm> alarms = new ArrayList<>();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Map<String, Deployment> deployments = new HashMap<>();
  private long lastId;

  ManualVertx(ManualClock clock) {
    this.clock = clock;
  }

  String deploy(Deployable verticle) {
    String id = deployment(verticle).result();
    run();
    return id;
  }

  Future<Void> undeploy(String id) {
    Future<Void> gone = deployments.remove(id).end();
    run();
    return gone;
  }

  /** Moves the clock; each timer fires at its time. */
  void advance(Duration by) {
    Instant end = clock.instant().plus(by);
    for (Optional<Alarm> next = next(end); next.isPresent(); next = next(end)) {
      ring(next.get());
    }
    clock.advance(Duration.between(clock.instant(), end));
  }

  /** Runs the pending tasks of all contexts. */
  void run() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private Optional<Alarm> next(Instant end) {
    return alarms.stream()
        .filter(alarm -> !alarm.due().isAfter(end))
        .min(Comparator.comparing(Alarm::due));
  }

  private void ring(Alarm alarm) {
    alarms.remove(alarm);
    clock.advance(Duration.between(clock.instant(), alarm.due()));
    if (alarm.everyMs() > 0) {
      alarms.add(
          new Alarm(
              alarm.of(),
              alarm.id(),
              alarm.due().plusMillis(alarm.everyMs()),
              alarm.everyMs(),
              alarm.handler()));
    }
    alarm.handler().handle(alarm.id());
    run();
  }

  private Future<String> deployment(Deployable verticle) {
    String id = "deployment-" + ++lastId;
    Deployment made = new Deployment(verticle);
    deployments.put(id, made);
    try {
      return verticle.deploy(made.context).map(id);
    } catch (Exception thrown) {
      return Future.failedFuture(thrown);
    }
  }

  private final class Deployment {
    private final Deployable verticle;
    private final Vertx vertx = proxy(Vertx.class, this::ofVertx);
    private final Context context = proxy(Context.class, this::ofContext);

    Deployment(Deployable verticle) {
      this.verticle = verticle;
    }

    /** Stops it; its timers continue until it has stopped. */
    Future<Void> end() {
      try {
        return verticle
            .undeploy(context)
            .<Void>mapEmpty()
            .onComplete(stopped -> alarms.removeIf(alarm -> alarm.of() == this));
      } catch (Exception thrown) {
        return Future.failedFuture(thrown);
      }
    }

    @SuppressWarnings("unchecked")
    private Object ofContext(Method method, Object[] arguments) {
      return switch (method.getName()) {
        case "owner" -> vertx;
        case "runOnContext" -> later((Handler<Void>) arguments[0]);
        default -> throw new AssertionError("Expected no call of " + method);
      };
    }

    private @Nullable Object later(Handler<Void> task) {
      tasks.add(() -> task.handle(null));
      return null;
    }

    @SuppressWarnings("unchecked")
    private Object ofVertx(Method method, Object[] arguments) {
      return switch (method.getName()) {
        case "setPeriodic" -> periodic(List.of(arguments));
        case "setTimer" -> set((long) arguments[0], 0, (Handler<Long>) arguments[1]);
        case "cancelTimer" -> alarms.removeIf(alarm -> alarm.id() == (long) arguments[0]);
        case "timer" -> timer(((TimeUnit) arguments[1]).toMillis((long) arguments[0]));
        case "deployVerticle" -> deployment((Deployable) arguments[0]);
        case "undeploy" -> deployments.remove((String) arguments[0]).end();
        default -> throw new AssertionError("Expected no call of " + method);
      };
    }

    /** With a first delay of its own, or without. */
    @SuppressWarnings("unchecked")
    private long periodic(List<Object> arguments) {
      int last = arguments.size() - 1;
      return set(
          (long) arguments.get(0),
          (long) arguments.get(last - 1),
          (Handler<Long>) arguments.get(last));
    }

    private long set(long delayMs, long everyMs, Handler<Long> handler) {
      long id = ++lastId;
      alarms.add(new Alarm(this, id, clock.instant().plusMillis(delayMs), everyMs, handler));
      return id;
    }

    private Timer timer(long delayMs) {
      Promise<Void> over = Promise.promise();
      set(delayMs, 0, id -> over.complete());
      return proxy(Timer.class, (method, arguments) -> method.invoke(over.future(), arguments));
    }
  }

  private static <T> T proxy(Class<T> type, Handling handling) {
    return Ports.answering(
        type,
        (self, method, arguments) -> {
          try {
            return handling.call(method, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
  }
}
