package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which sale of its SKU a bucket is in. */
interface SaleContract extends StockContract {

  private BucketId bucketOfSale(long saleNo) {
    return unit().openBucket(10, SkuState.OPEN, FREE_FOR_ALL, saleNo);
  }

  private static Request ofSale(BucketId bucket, int number, long saleNo) {
    return new Request(token(bucket, number), Buyers.of(number), 1, null, saleNo);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,0", "1,2", "2,1"})
  default void shouldGrantNothingWhenTheCallerBelievesInAnotherSale(long sale, long believed) {
    // given
    BucketId bucket = bucketOfSale(sale);

    // when
    ReserveReply reply = unit().reserveReply(bucket, ofSale(bucket, 1, believed));

    // then
    assertThat(reply.code()).isEqualTo(BucketCode.OTHER_SALE);
    assertThat(reply.outcomes()).isEmpty();
    assertThat(unit().snapshot(bucket).claimed()).isZero();
    assertThat(unit().recorded(token(bucket, 1))).isNull();
  }

  @Test
  default void shouldSayInWhichSaleItWasGranted() {
    // given
    BucketId bucket = bucketOfSale(3);

    // when
    ReserveReply reply = unit().reserveReply(bucket, ofSale(bucket, 1, 3));

    // then
    Grant grant = ((Granted) reply.outcomes().get(0)).grant();
    assertThat(grant.saleNo()).isEqualTo(3);
    assertThat(unit().recorded(grant.token()).grant()).isEqualTo(grant);
  }

  /** A restock changes nothing about the sale. */
  @Test
  default void shouldStayInItsSaleWhenItIsRestocked() {
    // given
    BucketId bucket = bucketOfSale(2);

    // when
    unit().restock(bucket, VERSION + 1, 20, SkuState.OPEN, FREE_FOR_ALL);

    // then
    assertThat(unit().reserveReply(bucket, ofSale(bucket, 1, 2)).code()).isEqualTo(BucketCode.OK);
    assertThat(unit().reserveReply(bucket, request(bucket, 2, 1)).code())
        .isEqualTo(BucketCode.OTHER_SALE);
  }
}
