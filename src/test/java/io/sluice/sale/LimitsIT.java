package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an instance shows of limits that only a flood reaches. */
class LimitsIT {
  private static final int CONNECTIONS = 100;

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withFaults()
          .setting("SLUICE_HTTP_CONNECTIONS_MAX", CONNECTIONS)
          .setting("SLUICE_ADMISSION_BUYER_PER_MINUTE", 1)
          .setting("SLUICE_ADMISSION_STRIKES", 1);

  private static final Duration LIMIT = Duration.ofSeconds(40);

  /** While it is held, no ban is written. */
  private static final String BANS = "SELECT * FROM blacklist FOR UPDATE";

  private static final int VISITORS = 48;
  private static final int BUYERS_AT_ONCE = 1_000;

  private int buyers;

  @Test
  @Moves("sluice_http_connections_dropped_total")
  void shouldCountConnectionsThatAreClosedForBeingTooMany() throws IOException {
    // given
    String dropped = "sluice_http_connections_dropped_total";
    URI port = URI.create(site.instance(0).url());
    List<Socket> sockets = new ArrayList<>();

    // when
    try {
      for (int i = 0; i < 2 * CONNECTIONS; i++) {
        sockets.add(new Socket(port.getHost(), port.getPort()));
      }

      // then
      await().atMost(LIMIT).until(() -> MetricsPage.value(site, dropped) >= CONNECTIONS);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  @Moves("sluice_admission_bans_unwritten_total")
  void shouldCountBansThatTheLedgerIsNotToldOf() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String unwritten = "sluice_admission_bans_unwritten_total";

    // when
    try (LedgerReader.Held bans = site.ledger().hold(BANS)) {
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                overrun(sale);
                return MetricsPage.value(site, unwritten) > 0;
              });
    }

    // then
    assertThat(MetricsPage.value(site, "sluice_admission_banned")).isGreaterThan(10_000);
  }

  /** Each of these buyers orders twice, with other keys. */
  private void overrun(Sale sale) {
    List<Supplier<Future<Answer>>> requests = new ArrayList<>();
    for (int i = 0; i < BUYERS_AT_ONCE; i++) {
      Buyer buyer = Buyer.named("flood-" + buyers++);
      for (String key : List.of("one", "two", "three")) {
        requests.add(() -> sale.ordering(buyer, key, 1));
      }
    }
    site.crowd(VISITORS).send(requests);
  }
}
