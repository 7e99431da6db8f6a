package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.web.Problem;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each result of the ledger that is not a change has a problem, also one that is added later. */
class ChangeProblemsTest {
  private static final NewSale WANTED =
      new NewSale(
          "phones-12",
          "n",
          false,
          new SaleTerms(0, 0, 300, false),
          List.of(SaleSkus.of(0, 1, 1, 0, Watermarks.DEFAULT)));

  private static Stream<Object> refusals() {
    return Stream.of(
            SkuLedger.PutResult.class,
            SkuLedger.ChangeResult.class,
            RestockResult.class,
            ArchiveResult.class,
            SaleLedger.PutResult.class,
            SaleLedger.ChangeResult.class)
        .flatMap(results -> Arrays.stream(results.getPermittedSubclasses()))
        .filter(result -> !result.getSimpleName().equals("Done"))
        .filter(result -> result != ArchiveResult.Working.class)
        .map(ChangeProblemsTest::made);
  }

  /** A result with any values. */
  private static Object made(Class<?> result) {
    try {
      RecordComponent[] values = result.getRecordComponents();
      return result
          .getDeclaredConstructor(
              Arrays.stream(values).map(RecordComponent::getType).toArray(Class<?>[]::new))
          .newInstance(
              Arrays.stream(values).map(RecordComponent::getType).map(type -> any(type)).toArray());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Object any(Class<?> type) {
    if (type == long.class) {
      return 0L;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == boolean.class) {
      return false;
    }
    if (type == List.class) {
      return List.of(new SkuFault.InUse(0, null));
    }
    if (type == Put.Fault.class) {
      return Put.Fault.PASSED;
    }
    return type == String.class ? "field" : FakeLedger.sku(7, 1);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void shouldHaveAProblemForEachResultThatIsNoChange(Object result) {
    // when
    Problem problem = problem(result);

    // then
    assertThat(problem.detail()).startsWith("Expected ");
  }

  private static Problem problem(Object result) {
    if (result instanceof SkuLedger.PutResult put) {
      return ChangeProblems.of(put);
    }
    if (result instanceof SkuLedger.ChangeResult change) {
      return ChangeProblems.of(change);
    }
    if (result instanceof RestockResult restock) {
      return ChangeProblems.of(restock, -5);
    }
    return result instanceof SaleLedger.PutResult put
        ? ChangeProblems.of(put, WANTED)
        : ChangeProblems.byName(result);
  }
}
