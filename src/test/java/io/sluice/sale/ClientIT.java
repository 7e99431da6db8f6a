package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.process.ChildMaven;
import io.sluice.testkit.process.ChildProgram;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients that openapi-generator makes from the contracts compile and sell. They are built and run
 * by a Maven of their own, in {@code src/test/client}. Only {@code -Pchaos} runs this test.
 */
class ClientIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final String OFFICE = "the-word-of-the-office";
  private static final String ANNE = "the-word-of-anne";

  @Test
  void shouldSellToClientsThatAreMadeFromTheContracts() {
    // given
    SluiceProcess guarded = guarded().start().awaitReady();
    Sale sale = site.known(site.newSkuId());
    List<String> command =
        ChildMaven.ofThisBuild()
            .command(
                "-f",
                "src/test/client",
                "-Durl=" + guarded.url(),
                "-Dadmin=" + guarded.adminUrl(),
                "-Dsku=" + sale.skuId(),
                "-Dservice.token=" + OFFICE,
                "-Dadmin.token=" + ANNE,
                "clean",
                "test");

    // when
    ChildProgram.in(Path.of("").toAbsolutePath(), "client", LIMIT)
        .run("the clients of the contracts cannot be made, or do not sell", command);

    // then
    assertThat(sale.tokens("CONFIRMED")).hasSize(1);
    assertThat(sale.tokens("CANCELED")).hasSize(1);
    assertThat(sale.tokens("RESERVED", "PENDING", "REFUNDED", "REJECTED")).isEmpty();
    assertThat(guarded.terminate().code()).isZero();
  }

  private static SluiceProcess guarded() {
    return site.newInstance(
        Map.of("SLUICE_AUTH_SERVICE_TOKEN", OFFICE, "SLUICE_ADMIN_TOKEN", ANNE));
  }
}
