package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.owner.OwnerSupervisor.OpenRequests;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenRequestsTest {
  private static final long SKU = 1001;
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);

  private final InMemoryLedger ledger = new InMemoryLedger(1, InstantSource.system());
  private final Set<Integer> owned = new HashSet<>(Set.of(0));
  private final List<OwnerRequest> served = new ArrayList<>();
  private final OpenRequests unit = new OpenRequests(ledger, () -> owned, served::add);

  @Test
  void shouldServeANewRequestWhenHundredsOfOlderOnesAreStuck() {
    // given
    stuck(3 * OpenRequests.PAGE_MAX);
    unit.step();
    long fresh = ledger.request(RequestKind.REBUILD, new BucketId(SKU, 0)).result();

    // when
    steps(3);

    // then
    assertThat(served).extracting(OwnerRequest::id).contains(fresh);
  }

  @Test
  void shouldReadNoMoreThanAPageAStepWhenManyAreOpen() {
    // given
    stuck(3 * OpenRequests.PAGE_MAX);

    // when
    unit.step();

    // then
    assertThat(served).hasSize(OpenRequests.PAGE_MAX);
  }

  @Test
  void shouldBeginAgainWithTheOldestWhenAllWereRead() {
    // given
    stuck(2 * OpenRequests.PAGE_MAX);
    steps(3);
    served.clear();

    // when
    unit.step();

    // then
    assertThat(served).hasSize(OpenRequests.PAGE_MAX);
    assertThat(served.get(0).bucket()).contains(new BucketId(SKU, 0));
  }

  @Test
  void shouldAskNobodyWhenNoPartitionIsOwned() {
    // given
    stuck(1);
    owned.clear();

    // when
    boolean more = unit.step().result();

    // then
    assertThat(more).isFalse();
    assertThat(served).isEmpty();
  }

  /** Opens requests to load SKUs of 200 buckets each, which are never answered. */
  private void stuck(int count) {
    for (int i = 0; i < count / 200 + 1; i++) {
      int buckets = Math.min(200, count - 200 * i);
      if (buckets > 0) {
        ledger.put(new NewSku(SKU + i, 1_000, buckets, Sku.Mode.FAST, SETTINGS));
      }
    }
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      unit.step();
    }
  }
}
