package io.sluice.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.Contract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A linter has nothing to say about the contracts. Only {@code -Pchaos} runs this test. */
class ContractLintIT {
  @TempDir Path folder;

  private ContractLinter unit;

  @BeforeEach
  void setUp() {
    unit = ContractLinter.ofThisMachine();
  }

  @ParameterizedTest
  @EnumSource
  void shouldFindNothing(Contract contract) {
    assertThat(unit.findings(ContractFile.path(contract))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "operationId: getOrder|operationId: placeOrder|operation-operationId-unique",
        "value: {sku_id: 1001, qty: 1}|value: {sku_id: 1001, qty:"
            + " many}|no-invalid-media-type-examples",
        "buyerToken: []|somebody: []|security-defined",
        "schemas/SkuLevel|schemas/SkuLeve|no-unresolved-refs",
        "application/yaml|text/x-yaml|response-mime-type",
      })
  void shouldFindWhatBreaksARule(String sound, String broken, String rule) throws IOException {
    // given
    String contract = ContractFile.of(Contract.PUBLIC).text();
    Path file = folder.resolve("public.yaml");
    Files.writeString(file, contract.replace(sound, broken));

    // when
    var findings = unit.findings(file);

    // then
    assertThat(findings).anyMatch(finding -> finding.endsWith("(" + rule + ")"));
  }
}
