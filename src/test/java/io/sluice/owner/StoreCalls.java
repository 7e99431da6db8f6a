package io.sluice.owner;

import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** Wraps the stores of a scene: records calls, and can answer them instead. */
public final class StoreCalls {
  /** Far more calls of one method than any test makes, so the caller must be in an endless loop. */
  private static final int CALLS_MAX = 20_000;

  /**
   * Scripted answers by method: the answer for these arguments, or null to call the real method.
   */
  public final Map<String, Function<Object[], Future<?>>> instead = new HashMap<>();

  private final Map<String, Throwable> lostReplies = new HashMap<>();
  private final Map<String, List<Object[]>> made = new HashMap<>();

  /** Makes every call of this method fail from now on. */
  public void fail(String name, Throwable cause) {
    instead.put(name, arguments -> Future.failedFuture(cause));
  }

  /** Makes every call of this method return this answer from now on. */
  public void answer(String name, Object answer) {
    instead.put(name, arguments -> Future.succeededFuture(answer));
  }

  /** Answers the next call of this method so; further ones reach the store. */
  public void once(String name, Function<Object[], Future<?>> answer) {
    instead.put(
        name,
        arguments -> {
          instead.remove(name);
          return answer.apply(arguments);
        });
  }

  /** Performs the next call of this method, but loses its reply. */
  public void loseReply(String name, Throwable cause) {
    lostReplies.put(name, cause);
  }

  /** Answers the calls of this method about some buckets so; the others reach the store. */
  public void answerOf(String name, Predicate<BucketId> buckets, Future<?> answer) {
    instead.put(name, arguments -> buckets.test((BucketId) arguments[0]) ? answer : null);
  }

  /** Makes the ledger refuse each batch that has one of these commands, as one it cannot store. */
  public void refuse(Command... poison) {
    for (String name : List.of("apply", "rehearse")) {
      instead.put(
          name,
          arguments ->
              Collections.disjoint(commands(arguments), List.of(poison))
                  ? null
                  : Future.failedFuture(new UnprocessableException("too long", null)));
    }
  }

  /** The arguments of all calls of this method so far. */
  public List<Object[]> of(String name) {
    return made.computeIfAbsent(name, first -> new ArrayList<>());
  }

  /** The commands of a call of {@code apply} with one batch, or of {@code rehearse}. */
  static List<Command> commands(Object[] call) {
    return batch(call).commands();
  }

  /** The same with its step. */
  static Batch batch(Object[] call) {
    Object first = call[0] instanceof List<?> round ? round.get(0) : null;
    if (first instanceof Batch batch) {
      return batch;
    }
    @SuppressWarnings("unchecked")
    List<Command> commands = (List<Command>) call[1];
    return new Batch((Step) call[0], commands, true);
  }

  public <S> S before(Class<S> port, S store) {
    return Ports.answering(port, (self, method, arguments) -> call(store, method, arguments));
  }

  private Object call(Object store, Method method, Object[] arguments) throws Throwable {
    List<Object[]> before = of(method.getName());
    if (before.size() == CALLS_MAX) {
      throw new AssertionError(
          "Expected a loop to end, but " + method.getName() + " is called again");
    }
    before.add(arguments);
    Future<?> otherwise = instead.getOrDefault(method.getName(), call -> null).apply(arguments);
    try {
      Object answer = otherwise == null ? method.invoke(store, arguments) : otherwise;
      Throwable lost = lostReplies.remove(method.getName());
      return lost == null
          ? answer
          : ((Future<?>) answer).compose(done -> Future.failedFuture(lost));
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
