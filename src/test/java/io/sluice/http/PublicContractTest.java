package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.metrics.Meters;
import io.sluice.model.ProblemType;
import io.sluice.openapi.ContractFile;
import io.sluice.openapi.ContractRoutes;
import io.sluice.openapi.ExampleRows;
import io.sluice.openapi.UndescribedInput;
import io.sluice.web.Contract;
import io.sluice.web.HttpProbe.Answer;
import io.sluice.web.InFlight;
import io.sluice.web.InFlight.PollBudget;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestTraces;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The public port does what its contract says: the same calls, and each example as it is there. */
class PublicContractTest {
  private static final ContractFile CONTRACT = ContractFile.of(Contract.PUBLIC);

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.TOKEN_BACK_OFFICE);

  private final ExampleRows rows = new PublicExamples(CONTRACT, fixture).rows();

  @Test
  void shouldHaveEveryCallOfThePortAndNoOther() {
    // given
    Meters meters = fixture.meters;
    RequestPipeline pipeline =
        new RequestPipeline(new InFlight(1, meters), new PollBudget(1), meters, RequestTraces.OFF);

    // when
    var calls = ContractRoutes.of(fixture.routes().endpoints(pipeline));

    // then
    assertThat(ContractRoutes.of(CONTRACT)).isEqualTo(calls);
  }

  @Test
  void shouldBeServedAsItIs() {
    // when
    Answer answer = fixture.probe.get(Contract.PATH);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/yaml");
    assertThat(answer.text()).isEqualTo(CONTRACT.text());
  }

  @Test
  void shouldBeServedAsAPage() {
    // when
    Answer page = fixture.probe.get("/docs");

    // then
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.header("content-security-policy"))
        .startsWith("default-src 'none'; style-src 'sha256-")
        .endsWith("; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    assertThat(page.text()).contains("<section id=\"placeOrder\">");
  }

  @Test
  void shouldExplainEachProblemAtTheAddressOfItsType() {
    for (ProblemType type : ProblemType.values()) {
      // when
      Answer page = fixture.probe.get("/problems/" + type.word());

      // then
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
      assertThat(page.text()).contains("<code>" + type.word() + "</code>, status " + type.status());
    }
  }

  @Test
  void shouldBringAboutEveryExample() {
    assertThat(rows.keys()).containsExactlyInAnyOrderElementsOf(rows.examples().toList());
  }

  @TestFactory
  Stream<DynamicTest> shouldAnswerAsEachExampleSays() {
    return rows.tests(() -> fixture.beforeEach(null));
  }

  /** A full refund with a quantity in its body refunded the whole order. */
  @TestFactory
  Stream<DynamicTest> shouldRefuseWhatIsNotDescribed() {
    return new UndescribedInput(
            CONTRACT,
            fixture.probe,
            "X-User-Id",
            "alice",
            "Authorization",
            "Bearer " + PublicPortFixture.TOKEN)
        .tests();
  }
}
