package io.sluice.async;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is made of files that may change while they are in use. It is replaced as a whole; a content
 * that cannot be used leaves the former one in force, and is told once. Thread-safe.
 *
 * @param <C> the content of the files
 * @param <V> what is made of it
 */
public final class Reloaded<C, V> {
  private final Supplier<C> read;
  private final Function<C, V> use;
  private final Consumer<V> replaced;
  private final Consumer<String> refused;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private volatile V inForce;

  /** Guarded by this, like the next. */
  private C content;

  private String fault = "";

  /**
   * Reads the files, so it blocks; fails if they cannot be used.
   *
   * @param replaced called with the value that has taken the place of the former one
   * @param refused told why a content cannot be used
   */
  public Reloaded(
      Supplier<C> read, Function<C, V> use, Consumer<V> replaced, Consumer<String> refused) {
    this.read = read;
    this.use = use;
    this.replaced = replaced;
    this.refused = refused;
    this.content = read.get();
    this.inForce = use.apply(content);
  }

  /** What is in force. */
  public V now() {
    return inForce;
  }

  /** Reads the files again; blocks. */
  public synchronized void readAgain() {
    try {
      C found = read.get();
      if (!found.equals(content)) {
        inForce = use.apply(found);
        content = found;
        replaced.accept(inForce);
      }
      fault = "";
    } catch (RuntimeException unusable) {
      String why = String.valueOf(unusable.getMessage());
      if (!why.equals(fault)) {
        fault = why;
        refused.accept(why);
      }
    }
  }

  /** The same on a worker thread, once at a time: a slow read must not pile up. */
  public Future<Void> readAgain(Vertx vertx) {
    if (!underWay.compareAndSet(false, true)) {
      return Future.succeededFuture();
    }
    return vertx
        .<@Nullable Void>executeBlocking(
            () -> {
              readAgain();
              return null;
            },
            false)
        .onComplete(done -> underWay.set(false));
  }
}
