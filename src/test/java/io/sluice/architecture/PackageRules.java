package io.sluice.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;

/** The order of the packages: one may import itself and what ranks lower, never a neighbour. */
final class PackageRules {
  private static final String ROOT = "io.sluice";

  private static final Map<String, Integer> RANKS =
      Map.ofEntries(
          Map.entry("", 7),
          Map.entry("http", 6),
          Map.entry("admin", 6),
          Map.entry("web", 5),
          Map.entry("owner", 5),
          Map.entry("reservation", 4),
          Map.entry("ledger", 3),
          Map.entry("stock", 2),
          Map.entry("orderlog", 2),
          Map.entry("db", 2),
          Map.entry("config", 1),
          Map.entry("metrics", 1),
          Map.entry("async", 0),
          Map.entry("model", 0));

  private PackageRules() {}

  static ArchCondition<JavaClass> haveARank() {
    return condition(
        "live in a package that has a rank",
        (type, violation) -> {
          if (!RANKS.containsKey(roomOf(type))) {
            violation.accept(type.getName() + " lives in a package without a rank");
          }
        });
  }

  static ArchCondition<JavaClass> importLowerRanksOnly() {
    return condition(
        "import their own package and lower ranks only",
        (type, violation) ->
            type.getDirectDependenciesFromSelf().stream()
                .filter(dependency -> !isAllowed(dependency))
                .forEach(dependency -> violation.accept(dependency.getDescription())));
  }

  static ArchCondition<JavaPackage> beNullMarked() {
    return condition(
        "have a package-info with @NullMarked",
        (room, violation) -> {
          if (!room.isAnnotatedWith(NullMarked.class)) {
            violation.accept(room.getName() + " has no package-info with @NullMarked");
          }
        });
  }

  /** The packages that hold at least one class. */
  static ClassesTransformer<JavaPackage> packages() {
    return new AbstractClassesTransformer<>("packages") {
      @Override
      public Set<JavaPackage> doTransform(JavaClasses classes) {
        return classes.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
      }
    };
  }

  private static boolean isAllowed(Dependency dependency) {
    JavaClass from = dependency.getOriginClass();
    JavaClass to = dependency.getTargetClass().getBaseComponentType();
    return !isOurs(to) || roomOf(from).equals(roomOf(to)) || rankOf(to) < rankOf(from);
  }

  private static boolean isOurs(JavaClass type) {
    return (type.getPackageName() + ".").startsWith(ROOT + ".");
  }

  private static int rankOf(JavaClass type) {
    return RANKS.getOrDefault(roomOf(type), Integer.MAX_VALUE);
  }

  /** The first name below the root: a package inside a package shares its rank. */
  private static String roomOf(JavaClass type) {
    String below = type.getPackageName().substring(ROOT.length());
    return below.isEmpty() ? "" : below.substring(1).replaceFirst("\\..*", "");
  }

  private static <T> ArchCondition<T> condition(
      String description, BiConsumer<T, Consumer<String>> check) {
    return new ArchCondition<>(description) {
      @Override
      public void check(T item, ConditionEvents events) {
        check.accept(item, text -> events.add(SimpleConditionEvent.violated(item, text)));
      }
    };
  }
}
