package io.sluice.explore.store;

import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Function;

/** Wraps a store and replaces one of its methods. */
public final class Intercept {
  private Intercept() {}

  /** The replacement. */
  public interface Instead {
    public Future<?> of(Call call);
  }

  /** A call of that method. */
  public static final class Call {
    private final Object target;
    private final Method method;
    private final Object[] arguments;

    private Call(Object target, Method method, Object[] arguments) {
      this.target = target;
      this.method = method;
      this.arguments = arguments;
    }

    @SuppressWarnings("unchecked")
    public <T> T argument(int index) {
      return (T) arguments[index];
    }

    /** Performs the call with another value for this argument. */
    @SuppressWarnings("unchecked")
    public <T> Future<T> with(int index, Object value) {
      Object[] others = arguments.clone();
      others[index] = value;
      return (Future<T>) invoke(target, method, others);
    }

    /** Performs the call and changes the answer. */
    @SuppressWarnings("unchecked")
    public <T> Future<T> go(Function<T, T> change) {
      return ((Future<T>) invoke(target, method, arguments)).map(change);
    }
  }

  /**
   * Replaces a method, which is the only one of its name: of several, each would get the arguments
   * of another one.
   */
  public static <S> S of(Class<S> port, S target, String name, Instead instead) {
    long named = Arrays.stream(port.getMethods()).filter(m -> m.getName().equals(name)).count();
    if (named != 1) {
      throw new IllegalArgumentException("Expected one %s, but got %d".formatted(name, named));
    }
    return Ports.answering(
        port,
        (proxy, method, arguments) ->
            method.getName().equals(name)
                ? instead.of(new Call(target, method, arguments))
                : invoke(target, method, arguments));
  }

  /** Performs a call of a method that returns a Future. */
  static Future<?> invoke(Object target, Method method, Object[] arguments) {
    try {
      return (Future<?>) method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw new IllegalStateException(thrown.getCause());
    } catch (IllegalAccessException notPublic) {
      throw new IllegalStateException(notPublic);
    }
  }
}
