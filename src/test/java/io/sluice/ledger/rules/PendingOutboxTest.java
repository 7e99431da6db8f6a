package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.model.BucketId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PendingOutboxTest {
  private static final BucketId BUCKET = new BucketId(1001, 1);
  private static final OutboxRow OF_ANOTHER = row(new BucketId(1001, 2));

  @Test
  void shouldBeRestockingWhenARowIsOfThisBucket() {
    // when
    boolean restocking = PendingOutbox.isRestocking(BUCKET, List.of(OF_ANOTHER, row(BUCKET)));

    // then
    assertThat(restocking).isTrue();
  }

  /** Of the rows behind the limit none is read, and they may be of any bucket. */
  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "499, false", "500, true"})
  void shouldBeRestockingForAllThatIsKnownOnlyWhenThereMayBeMoreRows(int rows, boolean expected) {
    // when
    boolean restocking = PendingOutbox.isRestocking(BUCKET, Collections.nCopies(rows, OF_ANOTHER));

    // then
    assertThat(restocking).isEqualTo(expected);
  }

  private static OutboxRow row(BucketId bucket) {
    String payload = "{\"sku_id\":%d,\"bucket\":%d}".formatted(bucket.skuId(), bucket.bucket());
    return new OutboxRow(1, 0, OutboxKind.RESTOCK, "RESTOCK", payload);
  }
}
