package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sale.Askers.Heard;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Units move as fast as their buyers need them. */
class BorrowLoadIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int BUCKETS = 64;
  private static final int ROUNDS = 16;
  private static final Askers ASKERS = new Askers(site);

  @BeforeAll
  static void letUnitsMove() {
    ASKERS.letUnitsMove();
  }

  @Test
  @Tag("alone")
  @Moves({"sluice_moves_total", "sluice_moved_units_total"})
  void shouldMostlySellTheLastUnitOfManyBucketsWithinASecond() {
    // given
    List<Duration> took = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      Sale sale = site.sale().withStock(1).withBuckets(BUCKETS).open();
      int bucket = 1 + round * (BUCKETS - 1) / ROUNDS;
      Buyer buyer = Askers.buyerOf(sale, BUCKETS, bucket, 0);

      // when
      took.add(ASKERS.buy(sale, buyer));
    }

    // then
    Duration median = took.stream().sorted().toList().get(ROUNDS / 2);
    assertThat(median).as("%s", took).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void shouldSellAllBucketsThroughAFewOfThem() {
    // given
    int units = 10_000;
    Sale sale = site.sale().withStock(units).withBuckets(16).open();
    List<Supplier<Future<Answer>>> few =
        IntStream.range(0, units)
            .mapToObj(i -> Askers.buyerOf(sale, 16, new int[] {2, 7, 11}[i % 3], i / 3))
            .<Supplier<Future<Answer>>>map(
                buyer -> () -> ASKERS.asking(sale, buyer, heard -> {}).map(Heard::answer))
            .toList();

    // when
    List<Answer> last = site.crowd(256).send(few);

    // then
    assertThat(last).as("%s", Crowd.tally(last)).allMatch(Answer::isYes);
    assertThat(ASKERS.movedUnits(sale, units / 16)).isPositive();
  }
}
