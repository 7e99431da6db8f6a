package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.openapi.ContractFile;
import io.sluice.openapi.ContractFile.Operation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page of a contract shows all of it, and loads and runs nothing. */
class ContractPageTest {
  private static final Pattern LINK = Pattern.compile("href=\"#([^\"]+)\"");
  private static final Pattern ANCHOR = Pattern.compile(" id=\"([^\"]+)\"");

  private static String page(Contract contract) {
    return ContractPage.of(ContractFile.of(contract).text()).toString();
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(each -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @EnumSource
  void shouldShowEveryCallAndSchemaOfTheContract(Contract contract) {
    // given
    ContractFile file = ContractFile.of(contract);
    List<String> calls = file.operations().stream().map(Operation::id).toList();

    // when
    Set<String> anchors = found(ANCHOR, page(contract));

    // then
    assertThat(calls).isNotEmpty();
    assertThat(anchors).containsAll(calls);
    assertThat(anchors)
        .containsAll(file.root().getJsonObject("components").getJsonObject("schemas").fieldNames());
  }

  @ParameterizedTest
  @EnumSource
  void shouldLinkOnlyToWhatItShows(Contract contract) {
    // given
    String page = page(contract);

    // when
    Set<String> links = found(LINK, page);

    // then
    assertThat(links).hasSizeGreaterThan(40).isSubsetOf(found(ANCHOR, page));
  }

  @ParameterizedTest
  @EnumSource
  void shouldLoadNothingAndRunNothing(Contract contract) {
    assertThat(page(contract))
        .contains("default-src 'none'; style-src 'sha256-")
        .doesNotContain("<script", "<img", "<link", " src=", " style=", "@import", "url(")
        .doesNotContainPattern("<[^>]* on[a-z]+=");
  }

  @Test
  void shouldEscapeWhatTheContractSays() {
    // given
    String text = ContractFile.of(Contract.PUBLIC).text().replace("Orders of buyers", "'<b>&'");

    // when
    String page = ContractPage.of(text).toString();

    // then
    assertThat(page).contains("&lt;b&gt;&amp;").doesNotContain("<b>");
  }
}
