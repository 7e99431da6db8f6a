package io.sluice.explore;

import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store, one method of which is done otherwise. */
final class Intercept {
  private Intercept() {}

  /** What is done instead. */
  interface Method {
    Future<?> call(Object[] arguments);
  }

  static <S> S of(Class<S> port, S target, String name, Method instead) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              if (method.getName().equals(name)) {
                return instead.call(arguments);
              }
              try {
                return method.invoke(target, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }
}
