package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.model.Refusal;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CodesTest {

  @Test
  void shouldBeAwayOnlyWhenARebuildHelps() {
    // given
    var codes = Arrays.stream(BucketCode.values());

    // when
    var away = codes.filter(BucketCode::isAway);

    // then
    assertThat(away).containsExactly(BucketCode.ABSENT, BucketCode.LOST, BucketCode.LOADING);
  }

  @ParameterizedTest
  @CsvSource({
    "MISMATCH, KEY_MISMATCH",
    "ENDED, ORDER_ENDED",
    "FROZEN, BUSY",
    "NOT_OPEN, NOT_OPEN",
    "LIMIT_REACHED, LIMIT_REACHED",
    "SOLD_OUT, SOLD_OUT"
  })
  void shouldStandForARefusalWhenItIsANo(TokenCode code, Refusal refusal) {
    // given
    var expected = new GrantOutcome.Refused(refusal);

    // when
    var refused = code.refused();

    // then
    assertThat(refused).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(names = {"GRANTED", "ALREADY"})
  void shouldNotBeTakenForARefusalWhenItIsAYes(TokenCode yes) {
    // when
    var refused = assertThatThrownBy(yes::refused);

    // then
    refused.isInstanceOf(IllegalStateException.class);
  }
}
