package io.sluice.testkit.register;

import io.sluice.testkit.site.SaleSite;
import java.lang.reflect.Field;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The site of a test class. */
final class TestSite {
  private TestSite() {}

  static Optional<SaleSite> of(ExtensionContext context) {
    for (Class<?> type = context.getRequiredTestClass();
        type != null;
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getType() == SaleSite.class) {
          return Optional.of(valueOf(field));
        }
      }
    }
    return Optional.empty();
  }

  private static SaleSite valueOf(Field field) {
    try {
      field.setAccessible(true);
      return (SaleSite) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
