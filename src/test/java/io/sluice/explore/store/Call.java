package io.sluice.explore.store;

import io.sluice.explore.actor.Node;
import io.sluice.explore.run.World;
import io.sluice.ledger.Ledger.StillBucket;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/** A call of a store, on its way there and back. */
final class Call {
  private static final long TIMEOUT_US = 1_000_000;
  private static final long LATE_MAX_US = 9_000_000;
  private static final long SLOW_MAX_US = 6_000_000;
  private static final long HOLD_MAX_US = 3_000_000;
  private static final int LATE_CHANGES_MAX = 25;

  private final World world;
  private final Wire wire;
  private final Node caller;
  private final Op op;
  private final SplittableRandom draws;
  private final Fault fault;
  private final Method method;
  private final Object target;
  private final Object[] arguments;
  private final Promise<Object> promise = Promise.promise();
  private final long sentUs;
  private final int redisProcess;
  private final int ledgerProcess;
  private boolean givenUp;

  Call(
      World world,
      Wire wire,
      Node caller,
      Op op,
      SplittableRandom draws,
      Fault fault,
      Method method,
      Object target,
      Object[] arguments) {
    this.world = world;
    this.wire = wire;
    this.caller = caller;
    this.op = op;
    this.draws = draws;
    this.fault = fault;
    this.method = method;
    this.target = target;
    this.arguments = arguments;
    this.sentUs = world.scheduler().nowUs();
    this.redisProcess = world.redis().processOf(caller);
    this.ledgerProcess = wire.ledgerProcess();
  }

  Future<Object> begin() {
    long goUs = Wire.travelUs(draws);
    if (fault == null) {
      world.scheduler().after(goUs, this::arrive);
      return promise.future();
    }
    switch (fault) {
      case REQUEST_LOST -> failLater("request lost");
      case LATE -> beLate();
      case SLOW -> world.scheduler().after(draws.nextLong(SLOW_MAX_US), this::arrive);
      case TWICE -> {
        world.scheduler().after(goUs, this::arrive);
        wire.late(1);
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
    return promise.future();
  }

  /**
   * Performs the call. A transaction that waits for locks is never committed once its caller has
   * given up.
   */
  private void arrive() {
    if (givenUp) {
      return;
    }
    if (op.locks() && wire.locks().areHeld()) {
      long leftUs = sentUs + TIMEOUT_US - world.scheduler().nowUs();
      if (leftUs > 0 && !caller.isDead()) {
        wire.locks().await(this::arrive);
        world.scheduler().after(leftUs, this::giveUp);
      } else {
        giveUp();
      }
      return;
    }
    givenUp = true;
    beDone();
  }

  private void giveUp() {
    if (!givenUp) {
      givenUp = true;
      failLater("locks");
    }
  }

  /** Performs the call, with a failure of the environment just before or just after it. */
  private void beDone() {
    boolean breaksBefore = draws.nextBoolean();
    if (breaksBefore) {
      world.breakAround(fault, op, draws);
    }
    if (world.isAway(op.store().database()) || isOnDeadConnection()) {
      failLater("store down");
      return;
    }
    Future<Object> result = perform();
    if (!breaksBefore) {
      world.breakAround(fault, op, draws);
    }
    boolean lost = fault == Fault.REPLY_LOST || fault == Fault.AWAY || isOnDeadConnection();
    if (lost) {
      failLater("reply lost");
    } else {
      result.onComplete(done -> caller.after(Wire.travelUs(draws), () -> promise.handle(done)));
    }
  }

  private boolean isOnDeadConnection() {
    return switch (op.store().database()) {
      case STOCK -> redisProcess != world.redis().processOf(caller) && !world.scenario().proxied();
      case LEDGER -> ledgerProcess != wire.ledgerProcess();
      default -> false;
    };
  }

  private Future<Object> perform() {
    if (fault == Fault.CUT_SHORT) {
      world.cutNextPublicationShort();
    }
    Future<Object> result = op.kind() == Op.Kind.HELD ? held() : invoke(arguments);
    result.onComplete(
        done ->
            world
                .trace()
                .add(
                    world.scheduler().nowUs(),
                    !op.isRead() && op.kind() != Op.Kind.PUBLISH,
                    () -> text() + " => " + (done.succeeded() ? done.result() : done.cause())));
    world.sights().answered(op, result);
    world.happened(op, arguments, result.result());
    return result;
  }

  @SuppressWarnings("unchecked")
  private Future<Object> invoke(Object[] with) {
    try {
      return (Future<Object>) method.invoke(target, with);
    } catch (InvocationTargetException thrown) {
      throw new IllegalStateException(thrown.getCause());
    } catch (IllegalAccessException notPublic) {
      throw new IllegalStateException(notPublic);
    }
  }

  /** A transaction in which the caller reads under its locks and then ends it. */
  private Future<Object> held() {
    Locks.Hold hold =
        world.defect().holdsStill() ? wire.locks().hold(HOLD_MAX_US) : wire.locks().none();
    Object[] with = arguments.clone();
    int last = with.length - 1;
    @SuppressWarnings("unchecked")
    var look = (Function<StillBucket, Future<Object>>) with[last];
    with[last] = (Function<StillBucket, Future<Object>>) still -> look(hold, look, still);
    Future<Object> result = invoke(with);
    return result.onComplete(done -> hold.end());
  }

  private Future<Object> look(
      Locks.Hold hold, Function<StillBucket, Future<Object>> look, StillBucket still) {
    Promise<Object> seen = Promise.promise();
    caller.after(
        Wire.travelUs(draws),
        () ->
            look.apply(still)
                .onComplete(
                    done ->
                        world
                            .scheduler()
                            .after(
                                Wire.travelUs(draws),
                                () -> {
                                  if (hold.isOver()) {
                                    seen.fail(world.unavailable(op.store(), "rolled back"));
                                  } else {
                                    seen.handle(done);
                                  }
                                })));
    return seen.future();
  }

  private void repeat() {
    wire.late(-1);
    if (!world.isAway(op.store())) {
      perform();
    }
  }

  /**
   * Performs the call after its caller was told that it failed. While a transaction's commit is
   * stuck in the database, its locks block all others.
   */
  private void beLate() {
    long failAfterUs = failLater("late");
    if (op.locks()) {
      if (wire.locks().areHeld()) {
        return;
      }
      wire.late(1);
      long doneAfterUs = failAfterUs + draws.nextLong(LATE_MAX_US);
      Locks.Hold hold = wire.locks().hold(doneAfterUs + 1);
      world
          .scheduler()
          .after(
              doneAfterUs,
              () -> {
                doLate();
                hold.end();
              });
    } else {
      wire.late(1);
      int changes = 1 + draws.nextInt(LATE_CHANGES_MAX);
      world
          .scheduler()
          .after(
              failAfterUs + draws.nextLong(LATE_MAX_US / 2),
              () -> world.moments().after(changes, LATE_MAX_US / 2, this::doLate));
    }
  }

  private void doLate() {
    wire.late(-1);
    if (!isOnDeadConnection() && !world.isAway(op.store().database())) {
      perform();
    }
  }

  /** Fails at once, as for a broken connection, or after the time-out, as for silence. */
  private long failLater(String why) {
    long afterUs = draws.nextBoolean() ? Wire.travelUs(draws) : TIMEOUT_US;
    caller.after(
        afterUs,
        () -> {
          world
              .trace()
              .add(
                  world.scheduler().nowUs(),
                  !op.isRead(),
                  () -> text() + " is unknown to its caller: " + why);
          promise.tryFail(world.unavailable(op.store(), why));
        });
    return afterUs;
  }

  private static boolean isFunction(Object argument) {
    return argument instanceof Supplier || argument instanceof Function;
  }

  /** Omits functions, whose text differs in each run. */
  private String text() {
    List<Object> shown =
        arguments == null
            ? List.of()
            : Arrays.stream(arguments).filter(each -> !isFunction(each)).toList();
    return caller
        + " "
        + op.label()
        + (shown.isEmpty() ? "()" : shown)
        + (fault == null ? "" : "   *** " + fault);
  }
}
