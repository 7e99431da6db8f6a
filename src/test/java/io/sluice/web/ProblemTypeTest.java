package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.ProblemType;
import io.sluice.order.CommandAnswer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The names and statuses of problems are part of the API: callers depend on them. */
class ProblemTypeTest {

  @ParameterizedTest
  @CsvSource({
    "bad-request,400",
    "unauthorized,401",
    "forbidden,403",
    "ticket-required,403",
    "not-found,404",
    "unknown-sku,404",
    "unknown-webhook,404",
    "not-blacklisted,404",
    "unknown-order,404",
    "unknown-refund,404",
    "unknown-job,404",
    "method-not-allowed,405",
    "sold-out,409",
    "limit-reached,409",
    "not-open,409",
    "order-ended,409",
    "key-mismatch,409",
    "already-confirmed,409",
    "already-refunded,409",
    "payment-late,409",
    "not-confirmed,409",
    "refund-exceeds,409",
    "refund-ended,409",
    "archived,409",
    "not-ended,409",
    "has-orders,409",
    "setting-fixed,409",
    "not-enough-unsold,409",
    "nothing-to-reset,409",
    "sku-frozen,409",
    "webhooks-full,409",
    "ending,409",
    "events-gone,410",
    "changed-since,412",
    "content-too-large,413",
    "unsupported-media-type,415",
    "too-early,425",
    "too-many-requests,429",
    "internal,500",
    "busy,503",
    "unavailable,503",
  })
  void shouldHaveItsStatusWhenNamed(String word, int status) {
    // when
    ProblemType type =
        Stream.of(ProblemType.values())
            .filter(each -> each.word().equals(word))
            .findFirst()
            .orElseThrow();

    // then
    assertThat(type.status()).isEqualTo(status);
    assertThat(type.retries()).isEqualTo(List.of(425, 429, 503).contains(status));
  }

  @ParameterizedTest
  @EnumSource(CommandAnswer.ConflictType.class)
  void shouldExistWhenACommandIsRefused(CommandAnswer.ConflictType conflict) {
    // when
    ProblemType type = conflict.type();

    // then
    int status =
        switch (conflict) {
          case UNKNOWN_REFUND -> 404;
          case NO_SUCH_LINE -> 400;
          default -> 409;
        };
    assertThat(type.status()).isEqualTo(status);
  }

  @Test
  void shouldBeOnlyThoseWhenCounted() {
    // when
    int types = ProblemType.values().length;

    // then
    assertThat(types).isEqualTo(51);
  }
}
