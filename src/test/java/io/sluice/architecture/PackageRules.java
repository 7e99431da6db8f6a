package io.sluice.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Which package may import which. */
final class PackageRules {
  private static final String ROOT = "io.sluice";
  private static final String MODEL = "model"; // the value types, for every package

  /** What each package may import beside {@code model}. */
  private static final Map<String, Set<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry(
              "http",
              Set.of("admission", "async", "auth", "config", "grant", "metrics", "order", "web")),
          Map.entry(
              "admin",
              Set.of(
                  "admin.page",
                  "admin.report",
                  "admission",
                  "async",
                  "auth",
                  "config",
                  "feed",
                  "ledger",
                  "metrics",
                  "monitor",
                  "order",
                  "orderlog",
                  "stock",
                  "tracing",
                  "web",
                  "webhook")),
          Map.entry("cli", Set.of("web")),
          Map.entry("feed", Set.of("async", "ledger", "orderlog")),
          Map.entry(
              "webhook",
              Set.of(
                  "async",
                  "config",
                  "feed",
                  "ledger",
                  "ledger.rules",
                  "metrics",
                  "monitor",
                  "orderlog")),
          Map.entry("admin.report", Set.of("async", "ledger", "web")),
          Map.entry(
              "admin.page",
              Set.of(
                  "async",
                  "ledger",
                  "ledger.rules",
                  "metrics",
                  "monitor",
                  "orderlog",
                  "stock",
                  "web")),
          Map.entry("web", Set.of("async", "config", "ledger", "metrics", "tracing")),
          Map.entry("auth", Set.of("async", "config", "grant", "monitor", "web")),
          Map.entry(
              "admission",
              Set.of("async", "config", "ledger", "ledger.rules", "metrics", "orderlog")),
          Map.entry(
              "grant",
              Set.of(
                  "async",
                  "config",
                  "ledger",
                  "metrics",
                  "monitor",
                  "order",
                  "orderlog",
                  "stock",
                  "tracing")),
          Map.entry(
              "order", Set.of("async", "config", "ledger", "ledger.rules", "orderlog", "stock")),
          Map.entry(
              "owner",
              Set.of(
                  "async",
                  "config",
                  "ledger",
                  "ledger.rules",
                  "metrics",
                  "monitor",
                  "orderlog",
                  "stock",
                  "tracing")),
          Map.entry("ledger", Set.of("monitor")),
          Map.entry("ledger.rules", Set.of("ledger")),
          Map.entry(
              "ledger.mysql",
              Set.of("async", "db", "ledger", "ledger.rules", "metrics", "monitor")),
          Map.entry("stock", Set.of("monitor")),
          Map.entry("stock.redis", Set.of("async", "config", "metrics", "monitor", "stock")),
          Map.entry("orderlog", Set.of("monitor")),
          Map.entry("orderlog.kafka", Set.of("async", "config", "metrics", "monitor", "orderlog")),
          Map.entry("db", Set.of("async", "config", "metrics", "monitor")),
          Map.entry("config", Set.of()),
          Map.entry("metrics", Set.of("monitor")),
          Map.entry("async", Set.of("monitor")),
          Map.entry("monitor", Set.of()),
          Map.entry("log", Set.of("monitor")),
          Map.entry("tracing", Set.of("async", "config", "metrics")),
          Map.entry("model", Set.of()));

  private PackageRules() {}

  /** The allowed imports by package, named below {@code io.sluice}. */
  static Map<String, Set<String>> mayImport() {
    return MAY_IMPORT;
  }

  static ArchCondition<JavaClass> beListed() {
    return condition(
        "be in a listed package",
        (type, violation) -> {
          if (!roomOf(type).isEmpty() && !MAY_IMPORT.containsKey(roomOf(type))) {
            violation.accept(type.getName() + " is in a package that is not listed");
          }
        });
  }

  static ArchCondition<JavaClass> importWhatTheyMay() {
    return condition(
        "import only what their package may",
        (type, violation) ->
            type.getDirectDependenciesFromSelf().stream()
                .filter(dependency -> !isAllowed(dependency))
                .forEach(dependency -> violation.accept(dependency.getDescription())));
  }

  private static boolean isAllowed(Dependency dependency) {
    JavaClass from = dependency.getOriginClass();
    JavaClass to = dependency.getTargetClass().getBaseComponentType();
    String room = roomOf(from);
    return !isOurs(to)
        || room.isEmpty()
        || room.equals(roomOf(to))
        || roomOf(to).equals(MODEL)
        || MAY_IMPORT.getOrDefault(room, Set.of()).contains(roomOf(to));
  }

  /** The packages of ours that each package imports beside {@code model}. */
  static Map<String, Set<String>> imported(JavaClasses classes) {
    Map<String, Set<String>> imported = new TreeMap<>();
    for (JavaClass type : classes) {
      Set<String> rooms = imported.computeIfAbsent(roomOf(type), room -> new TreeSet<>());
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(PackageRules::isOurs)
          .map(PackageRules::roomOf)
          .filter(room -> !room.equals(roomOf(type)) && !room.equals(MODEL))
          .forEach(rooms::add);
    }
    return imported;
  }

  static boolean isOurs(JavaClass type) {
    return (type.getPackageName() + ".").startsWith(ROOT + ".");
  }

  /** The package's name below {@code io.sluice}; empty for that package itself. */
  private static String roomOf(JavaClass type) {
    return type.getPackageName().substring(ROOT.length()).replaceFirst("^[.]", "");
  }

  static <T> ArchCondition<T> condition(String description, BiConsumer<T, Consumer<String>> check) {
    return new ArchCondition<>(description) {
      @Override
      public void check(T item, ConditionEvents events) {
        check.accept(item, text -> events.add(SimpleConditionEvent.violated(item, text)));
      }
    };
  }
}
