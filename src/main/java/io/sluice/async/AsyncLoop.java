package io.sluice.async;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sequential asynchronous loops of any length, with one Promise for all rounds. A chain of composed
 * Futures would grow with the data, and its last completion would overflow the stack.
 *
 * <p>Rounds may end on any thread; they never overlap.
 */
public final class AsyncLoop {
  private final Supplier<Future<Boolean>> step;
  private final Promise<Void> ended = Promise.promise();

  /**
   * The number of rounds that are due. The caller that raises it from 0 runs them all; other
   * callers leave theirs to it.
   */
  private final AtomicInteger due = new AtomicInteger();

  private AsyncLoop(Supplier<Future<Boolean>> step) {
    this.step = step;
  }

  /**
   * Repeats a step while it returns true, each round after the one before. Fails with the first
   * failure, also one that a step throws; no round follows it.
   */
  public static Future<Void> whileTrue(Supplier<Future<Boolean>> step) {
    AsyncLoop loop = new AsyncLoop(step);
    loop.next();
    return loop.ended.future();
  }

  /** Runs the body for each item, one after the other; fails with the first failure. */
  public static <T> Future<Void> forEach(Iterable<T> items, Function<T, Future<?>> body) {
    Iterator<T> left = items.iterator();
    return whileTrue(
        () -> left.hasNext() ? body.apply(left.next()).map(true) : Future.succeededFuture(false));
  }

  /**
   * Reads all pages, and returns their items.
   *
   * @param max the size of a full page; one that is not full is the last
   * @param page reads the page after this item, which is the last of the page before
   */
  public static <T> Future<List<T>> pages(int max, Function<Optional<T>, Future<List<T>>> page) {
    List<T> all = new ArrayList<>();
    return whileTrue(
            () ->
                page.apply(all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1)))
                    .map(
                        items -> {
                          all.addAll(items);
                          return items.size() == max;
                        }))
        .map(all);
  }

  /** Divides items into parts of at most so many, in their order, for {@link #forEach}. */
  public static <T> List<List<T>> parts(List<T> items, int max) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < items.size(); from += max) {
      parts.add(items.subList(from, Math.min(from + max, items.size())));
    }
    return parts;
  }

  /** Repeats a step until its result is present, and returns that; fails with the first failure. */
  public static <T> Future<T> untilPresent(Supplier<Future<Optional<T>>> step) {
    AtomicReference<Optional<T>> last = new AtomicReference<>(Optional.empty());
    return whileTrue(
            () ->
                step.get()
                    .map(
                        answer -> {
                          last.set(answer);
                          return answer.isEmpty();
                        }))
        .map(done -> Objects.requireNonNull(last.get()).orElseThrow());
  }

  /**
   * A round that completes synchronously is continued by the loop that started it, so rounds never
   * nest on the stack.
   */
  private void next() {
    if (due.getAndIncrement() != 0) {
      return;
    }
    do {
      round().onComplete(this::roundEnded);
    } while (due.decrementAndGet() != 0);
  }

  private Future<Boolean> round() {
    try {
      return step.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private void roundEnded(@Nullable Boolean more, @Nullable Throwable cause) {
    if (cause != null) {
      ended.fail(cause);
    } else if (Boolean.TRUE.equals(more)) {
      next();
    } else {
      ended.complete();
    }
  }
}
