package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.sluice.ledger.DirectLedger;
import io.sluice.order.CommandAnswer;
import io.sluice.stock.GrantOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Java 17 has no switch over sealed types, so a new outcome of an order would fall through a chain
 * of instanceof without a word: a method that tells some outcomes apart names all of them, unless
 * it only answers yes or no.
 */
class OutcomesTest {
  /** What becomes of a request for an order, or about one, from the stores to the answer. */
  private static final Pattern OF_ORDERS =
      Pattern.compile("io\\.sluice\\.(stock|grant|order|ledger\\.DirectLedger)\\b.*");

  @Test
  void shouldNameEveryOutcomeWhenSomeAreToldApart() {
    // given
    Map<JavaCodeUnit, Set<InstanceofCheck>> checks = new HashMap<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.sluice")) {
      checks.putAll(
          type.getInstanceofChecks().stream()
              .collect(Collectors.groupingBy(InstanceofCheck::getOwner, Collectors.toSet())));
    }

    // when
    Set<Class<?>> families = new HashSet<>();
    Set<String> forgotten = new TreeSet<>();
    checks.forEach(
        (method, ofMethod) -> {
          Set<Class<?>> told =
              ofMethod.stream()
                  .map(check -> check.getRawType().reflect())
                  .collect(Collectors.toSet());
          told.stream()
              .flatMap(one -> Stream.of(one.getInterfaces()))
              .filter(Class::isSealed)
              .filter(family -> OF_ORDERS.matcher(family.getName()).matches())
              .distinct()
              .forEach(
                  family -> {
                    families.add(family);
                    forgotten.addAll(forgotten(method, family, told));
                  });
        });

    // then
    assertThat(families)
        .contains(GrantOutcome.class, DirectLedger.Outcome.class, CommandAnswer.class);
    assertThat(forgotten).isEmpty();
  }

  private static Set<String> forgotten(JavaCodeUnit method, Class<?> family, Set<Class<?>> told) {
    Set<String> used =
        method.getOwner().getDirectDependenciesFromSelf().stream()
            .map(dependency -> dependency.getTargetClass().getName())
            .collect(Collectors.toSet());
    Set<Class<?>> members = Set.of(family.getPermittedSubclasses());
    boolean isChain =
        told.stream().filter(members::contains).count() > 1
            && !method.getRawReturnType().isEquivalentTo(boolean.class);
    return members.stream()
        .filter(member -> isChain && !told.contains(member) && !used.contains(member.getName()))
        .map(member -> method.getFullName() + " does not name " + member.getName())
        .collect(Collectors.toSet());
  }
}
