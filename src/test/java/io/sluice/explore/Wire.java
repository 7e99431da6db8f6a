package io.sluice.explore;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The network between processes and stores. A call travels, is done at one instant, and its answer
 * travels back; each on its own, and each may go wrong.
 */
final class Wire {
  private static final long TIMEOUT_US = 1_000_000;
  private static final long LATE_MAX_US = 9_000_000;
  private static final long SLOW_MAX_US = 6_000_000;
  private static final int LATE_CHANGES_MAX = 25;

  private final World world;

  /** While the commit of a transaction is stuck in the database, its locks hold up all others. */
  private long lockedUntilUs = -1;

  private int lateUnderWay;

  Wire(World world) {
    this.world = world;
  }

  /** Calls whose callers have given them up, and which may yet be done. */
  int lateUnderWay() {
    return lateUnderWay;
  }

  /** The store as this caller reaches it; what does not answer later is not on the network. */
  <S> S through(Class<S> port, S target, Node caller) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) ->
                method.getReturnType() == Future.class
                    ? call(caller, method, target, arguments)
                    : method.invoke(target, arguments)));
  }

  private Future<Object> call(Node caller, Method method, Object target, Object[] arguments) {
    Op op = Op.of(method);
    int count = caller.count(op.label());
    SplittableRandom draws = world.chance().of(caller.name(), op.label(), count);
    Fault fault = world.faults().draw(caller, op, count, draws);
    Call call = new Call(caller, op, draws, fault, () -> invoke(method, target, arguments));
    call.text =
        () -> caller + " " + op.label() + (arguments == null ? "()" : Arrays.toString(arguments));
    call.begin();
    return call.promise.future();
  }

  @SuppressWarnings("unchecked")
  private static Future<Object> invoke(Method method, Object target, Object[] arguments) {
    try {
      return (Future<Object>) method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw new IllegalStateException(thrown.getCause());
    } catch (IllegalAccessException notPublic) {
      throw new IllegalStateException(notPublic);
    }
  }

  /** How long a message travels: mostly a moment, sometimes long. */
  static long travelUs(SplittableRandom draws) {
    int kind = draws.nextInt(1_000);
    if (kind < 880) {
      return 100 + draws.nextLong(8_000);
    }
    return kind < 985 ? 8_000 + draws.nextLong(110_000) : 100_000 + draws.nextLong(350_000);
  }

  private final class Call {
    final Node caller;
    final Op op;
    final SplittableRandom draws;
    final Fault fault;
    final Supplier<Future<Object>> effect;
    final Promise<Object> promise = Promise.promise();
    final long sentUs = world.scheduler().nowUs();
    final int redisProcess = world.redis().process();
    Supplier<String> text;

    Call(Node caller, Op op, SplittableRandom draws, Fault fault, Supplier<Future<Object>> effect) {
      this.caller = caller;
      this.op = op;
      this.draws = draws;
      this.fault = fault;
      this.effect = effect;
    }

    void begin() {
      long goUs = travelUs(draws);
      if (fault == null) {
        world.scheduler().after(goUs, this::arrive);
        return;
      }
      switch (fault) {
        case REQUEST_LOST -> failLater("request lost");
        case LATE -> beLate();
        case SLOW -> world.scheduler().after(draws.nextLong(SLOW_MAX_US), this::arrive);
        case TWICE -> {
          world.scheduler().after(goUs, this::arrive);
          lateUnderWay++;
          world.scheduler().after(goUs + draws.nextLong(LATE_MAX_US), this::repeat);
        }
        case PAUSE -> {
          caller.after(draws.nextLong(2 * goUs), () -> world.pause(caller, draws));
          world.scheduler().after(goUs, this::arrive);
        }
        case CRASH -> {
          caller.after(draws.nextLong(2 * goUs), () -> world.crash(caller));
          world.scheduler().after(goUs, this::arrive);
        }
        default -> world.scheduler().after(goUs, this::arrive);
      }
    }

    /** A part of the world breaks just before or just after the call is done. */
    private void arrive() {
      boolean breaksBefore = draws.nextBoolean();
      if (breaksBefore) {
        world.breakAround(fault, op, draws);
      }
      if (world.isAway(op.store().database()) || isOnDeadConnection()) {
        failLater("store away");
        return;
      }
      if (op.kind() == Op.Kind.TRANSACTION && lockedUntilUs >= world.scheduler().nowUs()) {
        waitForLocks();
        return;
      }
      Future<Object> result = perform();
      if (!breaksBefore) {
        world.breakAround(fault, op, draws);
      }
      boolean lost =
          fault == Fault.REPLY_LOST
              || fault == Fault.AWAY
              || (op.store() == Op.Store.STOCK && isOnDeadConnection());
      if (lost) {
        failLater("reply lost");
      } else {
        caller.after(travelUs(draws), () -> promise.handle(result));
      }
    }

    private boolean isOnDeadConnection() {
      return op.store() == Op.Store.STOCK
          && redisProcess != world.redis().process()
          && !world.scenario().proxied();
    }

    private Future<Object> perform() {
      if (fault == Fault.CUT_SHORT) {
        world.cutNextPublicationShort();
      }
      Future<Object> result = effect.get();
      world
          .trace()
          .add(
              world.scheduler().nowUs(),
              !op.isRead() && op.kind() != Op.Kind.PUBLISH,
              () ->
                  text.get()
                      + " => "
                      + (result.succeeded() ? result.result() : result.cause())
                      + (fault == null ? "" : "   *** " + fault));
      world.sights().answered(op, result.result());
      world.happened(op);
      return result;
    }

    /** Without its caller, a transaction that waits for locks is never committed. */
    private void waitForLocks() {
      if (lockedUntilUs - sentUs > TIMEOUT_US) {
        failLater("locks");
      } else {
        world.scheduler().after(lockedUntilUs - world.scheduler().nowUs() + 1, this::arrive);
      }
    }

    private void repeat() {
      lateUnderWay--;
      if (!world.isAway(op.store())) {
        perform();
      }
    }

    private void beLate() {
      long failAfterUs = failLater("late");
      if (op.kind() == Op.Kind.TRANSACTION) {
        if (lockedUntilUs >= world.scheduler().nowUs()) {
          return;
        }
        lateUnderWay++;
        long doneAfterUs = failAfterUs + draws.nextLong(LATE_MAX_US);
        lockedUntilUs = world.scheduler().nowUs() + doneAfterUs;
        world.scheduler().after(doneAfterUs, this::doLate);
      } else {
        lateUnderWay++;
        int changes = 1 + draws.nextInt(LATE_CHANGES_MAX);
        world
            .scheduler()
            .after(
                failAfterUs + draws.nextLong(LATE_MAX_US / 2),
                () -> world.moments().after(changes, LATE_MAX_US / 2, this::doLate));
      }
    }

    private void doLate() {
      lateUnderWay--;
      boolean gone = op.store() == Op.Store.STOCK && isOnDeadConnection();
      if (!gone && !world.isAway(op.store().database())) {
        perform();
      }
    }

    /** A broken connection is noticed at once, silence only after a while. */
    private long failLater(String why) {
      long afterUs = draws.nextBoolean() ? travelUs(draws) : TIMEOUT_US;
      caller.after(
          afterUs,
          () -> {
            world
                .trace()
                .add(
                    world.scheduler().nowUs(),
                    !op.isRead(),
                    () -> text.get() + " is unknown to its caller: " + why);
            promise.tryFail(world.unavailable(op.store(), why));
          });
      return afterUs;
    }
  }
}
