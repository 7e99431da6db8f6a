package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Back office and operators of an instance that others can reach, as it is meant to be run. */
class CallerIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String OFFICE = "the-word-of-the-office";
  private static final String OFFICE_NEXT = "the-next-word-of-the-office";
  private static final String ANNE = "the-word-of-anne";
  private static final String RALPH = "the-word-of-ralph";
  private static final String UNSAFE = "unsafe default in use";
  private static final String NO_TLS = "key=\"http.tls.cert_file\"";

  @TempDir Path secrets;

  @Test
  void shouldKnowCallersByTokensFromFiles() throws IOException {
    // given
    Sale sale = site.sale().withStock(10).open();
    String token = sale.order(ALICE).token();
    SluiceProcess guarded = guarded().start().awaitReady();
    Call confirm = Call.post(guarded.url() + "/v1/orders/" + token + "/confirm");
    Call freeze = Call.post(guarded.adminUrl() + "/admin/skus/" + sale.skuId() + "/freeze");
    Call look = Call.get(guarded.adminUrl() + "/admin/skus/" + sale.skuId());

    // when
    Stream<Answer> paid = Stream.of("", ANNE, OFFICE, OFFICE_NEXT).map(word -> ask(confirm, word));
    Stream<Answer> frozen = Stream.of("", OFFICE, RALPH, ANNE).map(word -> ask(freeze, word));
    Stream<Answer> seen = Stream.of("", OFFICE, RALPH, ANNE).map(word -> ask(look, word));

    // then
    assertThat(paid.map(Answer::status)).containsExactly(401, 401, 200, 200);
    assertThat(seen.map(Answer::status)).containsExactly(401, 401, 200, 200);
    assertThat(frozen.map(Answer::status)).containsExactly(401, 401, 403, 200);
    assertThat(sale.unfreeze().status()).isEqualTo(200);
    String call = "call=\"admin_freeze\" parameters=\"sku_id=" + sale.skuId() + "\" fields=\"\"";
    assertThat(guarded.log().lines().filter(line -> line.contains(" operator: change ")))
        .hasSize(2)
        .anyMatch(
            line -> line.contains("operator=\"ralph\" method=\"POST\" " + call + " status=\"403\""))
        .anyMatch(
            line -> line.contains("operator=\"anne\" method=\"POST\" " + call + " status=\"200\""));
    assertThat(unsafe(guarded)).hasSize(1).allMatch(line -> line.contains(NO_TLS));
    assertThat(guarded.log()).doesNotContain(OFFICE, OFFICE_NEXT, ANNE, RALPH);
    assertThat(guarded.terminate().code()).isZero();
  }

  @Test
  void shouldRefuseTheBackOfficeAndWarnWhenOthersCanReachThePortAndNoTokenIsSet() {
    // given
    Sale sale = site.sale().withStock(10).open();
    String token = sale.order(ALICE).token();
    SluiceProcess open =
        site.newInstance(
                Map.of(
                    "SLUICE_HTTP_HOST", "0.0.0.0",
                    "SLUICE_AUTH_TRUSTED_PROXIES", "10.0.0.0/8"))
            .start()
            .awaitReady();

    // when
    Answer paid = site.http().ask(Call.post(open.url() + "/v1/orders/" + token + "/confirm"));
    Answer seen = site.http().ask(Call.get(open.url() + "/v1/orders/" + token).as(ALICE));

    // then
    assertThat(paid.brief()).isEqualTo("401 unauthorized");
    assertThat(paid.body()).contains("set auth.service_token");
    assertThat(seen.brief()).isEqualTo("401 unauthorized");
    assertThat(seen.body()).contains("auth.trusted_proxies");
    await().atMost(LIMIT).until(() -> open.log().contains(UNSAFE));
    assertThat(unsafe(open))
        .hasSize(3)
        .anyMatch(line -> line.contains("key=\"auth.service_token\""))
        .anyMatch(line -> line.contains("key=\"admin.token\""))
        .anyMatch(line -> line.contains(NO_TLS));
    assertThat(open.terminate().code()).isZero();
  }

  private static List<String> unsafe(SluiceProcess instance) {
    return instance.log().lines().filter(line -> line.contains(UNSAFE)).toList();
  }

  private SluiceProcess guarded() throws IOException {
    return site.newInstance(
        Map.of(
            "SLUICE_HTTP_HOST",
            "0.0.0.0",
            "SLUICE_AUTH_SERVICE_TOKEN_FILE",
            secret("office", OFFICE + "," + OFFICE_NEXT + "\n"),
            "SLUICE_ADMIN_TOKENS_FILE",
            secret("operators", "anne:operator:" + ANNE + "\nralph:reader:" + RALPH + "\n")));
  }

  private String secret(String name, String content) throws IOException {
    return Files.writeString(secrets.resolve(name), content).toString();
  }

  private static Answer ask(Call call, String word) {
    return site.http().ask(word.isEmpty() ? call : call.header("Authorization", "Bearer " + word));
  }
}
