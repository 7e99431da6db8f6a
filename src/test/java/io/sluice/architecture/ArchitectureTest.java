package io.sluice.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchCondition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules for imports and calls; the {@code because} of each says how to repair a violation. */
class ArchitectureTest {
  private static final JavaClasses ALL_CLASSES =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.sluice");

  private static final String CLIENT = "io.sluice.client";
  private static final JavaClasses MAIN_CLASSES = ALL_CLASSES.that(resideOutsideOfPackage(CLIENT));

  private static final String MAIN = "io.sluice.Main";

  /**
   * Both start and stop everything on a thread of their own, so they may block. Whoever adds a
   * class says why here.
   */
  private static final Set<String> MAY_WAIT =
      Set.of(MAIN, "io.sluice.Application", "io.sluice.config.ConfigLoader");

  @Test
  void shouldListEveryPackage() {
    classes()
        .should(PackageRules.beListed())
        .because("the list is the architecture: use a package of PackageRules, or list yours there")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldImportWhatIsListedOnly() {
    classes()
        .should(PackageRules.importWhatTheyMay())
        .because(
            "a package imports only what its row allows: move the type down, or wire it from above")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldListNoImportThatNobodyNeeds() {
    // when
    Map<String, Set<String>> imported = new TreeMap<>(PackageRules.imported(MAIN_CLASSES));
    imported.remove("");

    // then
    assertThat(imported).isEqualTo(PackageRules.mayImport());
  }

  @Test
  void shouldHaveNoCyclesOfClasses() {
    slices()
        .assignedFrom(CodeParts.topLevelClasses())
        .should()
        .beFreeOfCycles()
        .because("classes in a cycle cannot be tested apart: move what both need to a third")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldHaveNoCycles() {
    slices()
        .matching("io.sluice.(**)")
        .should()
        .beFreeOfCycles()
        .because("a cycle couples packages: move what both need down, or wire it from above")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldSayWhatEachPackageIs() {
    all(CodeParts.packages())
        .should(beNullMarked())
        .because("add a package-info.java that says what the package is, with @NullMarked")
        .check(MAIN_CLASSES);
  }

  private static ArchCondition<JavaPackage> beNullMarked() {
    return PackageRules.condition(
        "have a package-info with @NullMarked",
        (room, violation) -> {
          if (!room.isAnnotatedWith(NullMarked.class)) {
            violation.accept(room.getName() + " has no package-info with @NullMarked");
          }
        });
  }

  @Test
  void shouldKnowNothingButJavaInModel() {
    classes()
        .that()
        .resideInAPackage("io.sluice.model..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.sluice.model..", "java..", "org.jspecify..")
        .because("the domain depends on no driver: convert in the package that owns the driver")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldKnowNothingButJavaInTheClient() {
    classes()
        .that()
        .resideInAPackage(CLIENT)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(CLIENT, "java..", "javax.net.ssl")
                .or(type(NullMarked.class).as("of its package-info")))
        .because("its jar has no dependencies: shops add it beside their own libraries")
        .check(ALL_CLASSES);
  }

  @Test
  void shouldPlaceBucketsInTheFirstPutOnly() {
    String[] numbers = {"long", "int", "int"};
    String[] group = {"java.lang.String", "int", "int"};
    noClasses()
        .that()
        .haveNameNotMatching("io\\.sluice\\.ledger\\.rules\\.(Sku|Sale)Rules")
        .should()
        .callMethod("io.sluice.model.Placement", "first", numbers)
        .orShould()
        .callMethod("io.sluice.model.Placement", "together", group)
        .orShould()
        .callConstructor("io.sluice.model.Placement", "java.util.List")
        .because("a bucket is where the ledger says: read its partition with the SKU or its row")
        .check(MAIN_CLASSES.that(describe("read no row", ArchitectureTest::readsNoPlacement)));
  }

  /** The first reads the placement of a SKU from its row; the second is its factory. */
  private static boolean readsNoPlacement(JavaClass one) {
    return !Set.of("io.sluice.ledger.mysql.Columns", "io.sluice.model.Placement")
        .contains(one.getName());
  }

  @Test
  void shouldHashBucketsInPlacementOnly() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.sluice.model.Placement")
        .should()
        .callMethod("io.sluice.model.BucketId$StableHash", "of", "long", "int")
        .because("a bucket is where the ledger says: nothing else computes a partition")
        .check(MAIN_CLASSES);
  }

  /** What is known, where, and how to do without. */
  static Stream<Arguments> known() {
    return Stream.of(
        arguments(
            List.of("io.vertx.redis.."),
            List.of("io.sluice.stock.redis"),
            "one package uses Redis: add the operation to StockStore and call that"),
        arguments(
            List.of("io.vertx.kafka..", "org.apache.kafka.."),
            List.of("io.sluice.orderlog.kafka"),
            "one package uses Kafka: add the operation to a port of orderlog and call that"),
        arguments(
            List.of("io.vertx.mysqlclient..", "io.vertx.sqlclient.."),
            List.of("io.sluice.db", "io.sluice.ledger.mysql.."),
            "two packages use SQL: add the operation to Ledger and call that"),
        arguments(
            List.of("io.opentelemetry.."),
            List.of("io.sluice.tracing"),
            "one package uses OpenTelemetry: give a Span to Traces"),
        arguments(
            List.of("io.vertx.ext.web.."),
            List.of("io.sluice.http..", "io.sluice.admin..", "io.sluice.web.."),
            "HTTP is known to the HTTP packages only: return a value, and let a route translate"
                + " it"));
  }

  @ParameterizedTest
  @MethodSource("known")
  void shouldKnowDriversWhereTheyAreUsedOnly(
      List<String> driver, List<String> users, String because) {
    noClasses()
        .that()
        .resideOutsideOfPackages(users.toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(driver.toArray(String[]::new))
        .because(because)
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldTakeTheTimeFromTheClock() {
    noClasses()
        .should(
            accessTargetWhere(
                describe("it reads the system clock", ArchitectureTest::asksForTheTime)))
        .because("tests move the clock: take a java.time.InstantSource through the constructor")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldNeverSleep() {
    noClasses()
        .should(accessTargetWhere(describe("it sleeps", ArchitectureTest::sleeps)))
        .because("a sleeping thread blocks its event loop: set a timer in the verticle")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldNeverPrint() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(MAIN)
        .should(ACCESS_STANDARD_STREAMS)
        .because("operators read one stream of events: use an SLF4J logger with key-values")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldNeverWaitForAFuture() {
    noClasses()
        .should(accessTargetWhere(describe("it blocks on a future", ArchitectureTest::waits)))
        .because("a blocked event loop stops every request on it: compose or map the future")
        .check(MAIN_CLASSES);
  }

  @Test
  void shouldLimitWaitsOnTheContextOfTheCaller() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.sluice.async.TimeLimit")
        .should(accessTargetWhere(describe("it limits a future", ArchitectureTest::limits)))
        .because("what follows a time-out would run on no event loop: use TimeLimit")
        .check(MAIN_CLASSES);
  }

  private static boolean limits(JavaAccess<?> access) {
    return isCall(access, io.vertx.core.Future.class, "timeout");
  }

  private static boolean asksForTheTime(JavaAccess<?> access) {
    return isCall(access, System.class, "currentTimeMillis")
        || (isCall(access, Instant.class, "now")
            && access.getTarget().getFullName().endsWith("()"));
  }

  private static boolean sleeps(JavaAccess<?> access) {
    return isCall(access, Thread.class, "sleep") || isCall(access, TimeUnit.class, "sleep");
  }

  private static boolean waits(JavaAccess<?> access) {
    return (isCall(access, io.vertx.core.Future.class, "await")
            || isCall(access, java.util.concurrent.Future.class, "get")
            || isCall(access, java.util.concurrent.Future.class, "join"))
        && !MAY_WAIT.contains(topLevel(access.getOriginOwner()).getName());
  }

  /** A call of a method, or a reference to it, on the type or on a subtype. */
  private static boolean isCall(JavaAccess<?> access, Class<?> owner, String name) {
    return access.getTarget().getName().equals(name)
        && access.getTargetOwner().isAssignableTo(owner);
  }

  private static JavaClass topLevel(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureTest::topLevel).orElse(type);
  }
}
