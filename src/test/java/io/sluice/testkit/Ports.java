package io.sluice.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Supplier;

/** Ports that a test answers itself. */
public final class Ports {
  private Ports() {}

  /** A port of which a test needs only some methods; calls of the others fail. */
  public static <T> T partly(Class<T> port, Object methods) {
    return ofWhatIsSet(port, () -> methods);
  }

  /** The same of methods that may be set later. */
  public static <T> T ofWhatIsSet(Class<T> port, Supplier<Object> methods) {
    return answering(port, (self, method, arguments) -> call(methods.get(), method, arguments));
  }

  /** A port all of whose calls are answered by one handler. */
  public static <T> T answering(Class<T> port, InvocationHandler handler) {
    return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
  }

  private static Object call(Object methods, Method wanted, Object[] arguments) throws Throwable {
    Method method =
        Arrays.stream(methods.getClass().getDeclaredMethods())
            .filter(own -> own.getName().equals(wanted.getName()))
            .filter(own -> Arrays.equals(own.getParameterTypes(), wanted.getParameterTypes()))
            .findAny()
            .orElseThrow(() -> new AssertionError("Expected no call of " + wanted));
    method.setAccessible(true);
    try {
      return method.invoke(methods, arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }
}
