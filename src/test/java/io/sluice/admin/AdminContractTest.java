package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.openapi.ContractFile;
import io.sluice.openapi.ContractRoutes;
import io.sluice.openapi.ExampleRows;
import io.sluice.openapi.UndescribedInput;
import io.sluice.web.Contract;
import io.sluice.web.HttpProbe.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The management port does what its contract says: the same calls, and each example. */
class AdminContractTest {
  private static final ContractFile CONTRACT = ContractFile.of(Contract.MANAGEMENT);
  private static AdminExamples examples;
  private static AdminPortFixture fixture;

  @BeforeAll
  static void setUp() {
    examples = new AdminExamples(CONTRACT);
    fixture = new AdminPortFixture("").serving();
  }

  @AfterAll
  static void tearDown() {
    examples.close();
    fixture.close();
  }

  @Test
  void shouldHaveEveryCallOfThePortAndNoOther() {
    // given
    try (AdminPortFixture port = new AdminPortFixture("")) {

      // when
      var calls = ContractRoutes.of(port.endpoints());

      // then
      assertThat(ContractRoutes.of(CONTRACT)).isEqualTo(calls);
    }
  }

  @Test
  void shouldBeServedAsItIsBeforeAnythingElseIs() {
    // given
    try (AdminPortFixture port = new AdminPortFixture("")) {

      // when
      Answer answer = port.probe.get(Contract.PATH);

      // then
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("content-type")).isEqualTo("application/yaml");
      assertThat(answer.text()).isEqualTo(CONTRACT.text());
    }
  }

  @Test
  void shouldBringAboutEveryExample() {
    // when
    ExampleRows rows = examples.rows();

    // then
    assertThat(rows.keys()).containsExactlyInAnyOrderElementsOf(rows.examples().toList());
  }

  /** A list of orders with a misspelled filter was all orders. */
  @TestFactory
  Stream<DynamicTest> shouldRefuseWhatIsNotDescribed() {
    return new UndescribedInput(CONTRACT, fixture.probe).tests();
  }

  @TestFactory
  Stream<DynamicTest> shouldAnswerAsEachExampleSays() {
    return examples.rows().tests(() -> {});
  }
}
