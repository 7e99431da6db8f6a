package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.TOKENS;
import static io.sluice.ledger.rules.BatchScene.grant;
import static io.sluice.ledger.rules.BatchScene.reserve;
import static io.sluice.ledger.rules.BatchScene.token;
import static io.sluice.model.Grants.inEpoch;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.BatchSnapshot.Claims;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which rows a batch locks and reads before it is replayed. */
class BatchSnapshotTest {
  private static final BucketId FOREIGN = new BucketId(1000, 3);
  private static final Map<BucketId, Bucket> OURS =
      Map.of(BUCKET, new Bucket(BUCKET, 100, 0, 0, EPOCH));

  private final OrderToken foreign = TOKENS.tokenFor("zoe", FOREIGN, null);
  private final List<Command> commands =
      List.of(
          reserve(grant(1)),
          reserve(inEpoch(grant(2), EPOCH - 1)),
          reserve(inEpoch(grant(3), EPOCH + 1)),
          new Command.Confirm(token(4)),
          new Command.Cancel(token(5), Reason.BUYER),
          new Command.Refund(token(6)),
          new Command.Reject(grant(7), Reason.UNPROCESSABLE),
          new Command.Confirm(foreign),
          reserve(Grants.of(foreign, "zoe", 1, 1, EPOCH, 1, 2)),
          new Command.Malformed("?", "not JSON"));

  @Test
  void shouldLockEachBucketOnceInOrderWhenCommandsNameIt() {
    // when
    Set<BucketId> buckets = BatchSnapshot.bucketsOf(commands);

    // then
    assertThat(buckets).containsExactly(FOREIGN, BUCKET);
  }

  @Test
  void shouldReadOnlyOrdersOfOurBucketsWhenCommandsNameOthersToo() {
    // when
    Set<OrderToken> tokens = BatchSnapshot.tokensOf(commands, OURS.keySet());

    // then
    assertThat(tokens)
        .containsExactlyInAnyOrder(
            token(1), token(2), token(3), token(4), token(5), token(6), token(7));
  }

  @Test
  void shouldNotAskForGrantsOfThePresentEpochWhenTheyAreTakenForFresh() {
    // when
    Set<OrderToken> tokens = BatchSnapshot.notFresh(commands, OURS);

    // then
    assertThat(tokens)
        .containsExactlyInAnyOrder(token(2), token(3), token(4), token(5), token(6), token(7));
  }

  @Test
  void shouldAskForAFreshGrantAllTheSameWhenAnotherCommandNamesIt() {
    // when
    Set<OrderToken> tokens =
        BatchSnapshot.notFresh(List.of(reserve(grant(1)), new Command.Confirm(token(1))), OURS);

    // then
    assertThat(tokens).containsExactly(token(1));
  }

  @Test
  void shouldClaimThePlacesOfGrantsInOurBucketsAlone() {
    // when
    Set<Claims.Place> places = BatchSnapshot.claimed(commands, OURS.keySet());

    // then
    assertThat(places)
        .containsExactlyInAnyOrder(
            new Claims.Place(BUCKET, EPOCH, 1),
            new Claims.Place(BUCKET, EPOCH - 1, 2),
            new Claims.Place(BUCKET, EPOCH + 1, 3));
  }
}
