package io.sluice.explore.store;

import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/** A store, one method of which is done otherwise. */
public final class Intercept {
  private Intercept() {}

  /** What is done instead. */
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

    /** As it would have been, but for this argument. */
    public Future<?> with(int index, Object value) {
      Object[] others = arguments.clone();
      others[index] = value;
      return invoke(target, method, others);
    }

    /** As it would have been, but for the answer. */
    @SuppressWarnings("unchecked")
    public <T> Future<T> go(Function<T, T> change) {
      return ((Future<T>) invoke(target, method, arguments)).map(change);
    }
  }

  public static <S> S of(Class<S> port, S target, String name, Instead instead) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) ->
                method.getName().equals(name)
                    ? instead.of(new Call(target, method, arguments))
                    : invoke(target, method, arguments)));
  }

  private static Future<?> invoke(Object target, Method method, Object[] arguments) {
    try {
      return (Future<?>) method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw new IllegalStateException(thrown.getCause());
    } catch (IllegalAccessException notPublic) {
      throw new IllegalStateException(notPublic);
    }
  }
}
