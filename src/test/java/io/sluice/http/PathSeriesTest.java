package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.HttpProbe;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What callers make up never becomes a label. */
class PathSeriesTest {
  private static final int VISITS = 100;

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  private final HttpProbe probe = new HttpProbe(fixture.port.port());

  @Test
  void shouldHaveTheSameSeriesForOtherPathsSkusAndBuyers() {
    // given
    visit(0);
    Set<String> ofOne = series();

    // when
    for (int i = 1; i <= VISITS; i++) {
      visit(i);
    }

    // then
    assertThat(series()).isEqualTo(ofOne);
  }

  private void visit(int i) {
    probe.get("/v1/skus/" + (1_000 + i));
    probe.get("/v1/orders/no-token-" + i, "X-User-Id", "buyer-" + i);
    probe.get("/no/such/call-" + i);
    probe.send("BREW" + i, "/v1/orders", BodyPublishers.noBody());
  }

  private static Set<String> series() {
    return fixture
        .registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith("sluice_"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
