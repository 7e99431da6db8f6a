package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The stock of buckets, each call one atomic step of one bucket; docs/design.md section 5.
 *
 * <p>A failed Future means that the outcome is unknown. Calls with a term come from the owner of
 * the bucket's partition; the store keeps the highest term per bucket and answers STALE_TERM to a
 * lower one. All are idempotent per token. {@code book}, {@code release}, {@code lookup} and {@code
 * loadPage} take any number of tokens; beyond {@link #BATCH_MAX} they go in several steps, and stop
 * at the first that is not OK.
 */
public interface StockStore {
  /** Requests that one {@code reserve} takes. */
  int BATCH_MAX = 512;

  /** Grants that {@code overdue} and {@code snapshot} can be asked for. */
  int UNBOOKED_MAX = 2_000;

  /** Tokens that {@code snapshot} can be asked for. */
  int SNAPSHOT_TOKENS_MAX = 5_000;

  /** One buyer's request. */
  record Request(OrderToken token, String userId, int qty) {}

  /** The longest time for which a bucket that was found empty grants nothing new. */
  int SOLD_OUT_MAX_MS = 250;

  /**
   * Decides the requests, 1 to {@link #BATCH_MAX}, one after the other against the running state.
   *
   * <p>Where one is sold out because nothing is available, no new token is granted for {@link
   * #SOLD_OUT_MAX_MS} from then on, also if units come back meanwhile; {@code soldOutMs} of each
   * answer is what is left of that. So long the bucket's contents stay as the answer says, and
   * whoever knows them may refuse by itself what is not among them. Refusals meanwhile do not
   * prolong it.
   */
  Future<ReserveReply> reserve(BucketId bucket, List<Request> requests);

  /**
   * A page of all tokens, live and ended ones. Pages from the first to the last with the same
   * tokens in their contents hold all of them, some perhaps twice.
   *
   * @param code OK, or ABSENT, LOST, LOADING with nothing
   * @param recorded how many tokens there are in all
   * @param next where the next page begins; {@link #FIRST_PAGE} after the last
   * @param tokens as text, each followed by its buyer
   */
  record TokenPage(
      BucketCode code,
      ReserveReply.Contents contents,
      long recorded,
      String next,
      List<String> tokens) {}

  /** Where the first page of {@code tokens} begins. */
  String FIRST_PAGE = "0";

  /** Tokens that a page of {@code tokens} can be asked for. */
  int TOKENS_MAX = 2_000;

  /**
   * Reads a page of tokens.
   *
   * @param limit how many, about; 1 to {@link #TOKENS_MAX}
   */
  Future<TokenPage> tokens(BucketId bucket, String from, int limit);

  /**
   * What the store has recorded for a token.
   *
   * @param live false once its order has ended
   * @param unbooked granted but not yet known to be in the ledger; implies live
   */
  record Recorded(Grant grant, boolean live, boolean unbooked) {}

  /**
   * Answer of {@code lookup}: code OK, or ABSENT, LOST, LOADING with an empty map. Unknown tokens
   * are left out.
   */
  record Lookup(BucketCode code, Map<OrderToken, Recorded> recorded) {}

  /** Reads what is recorded for these tokens. */
  Future<Lookup> lookup(BucketId bucket, List<OrderToken> tokens);

  /** Answer of {@code overdue}: code OK, or ABSENT, LOST, LOADING with an empty list. */
  record Overdue(BucketCode code, List<Grant> grants) {}

  /**
   * The oldest grants of {@code unbooked} that were granted at least {@code olderThanMs} ago on
   * Redis' clock, and those that seem to be from the future, since that clock was set back.
   *
   * @param limit how many at most, 1 to {@link #UNBOOKED_MAX}
   */
  Future<Overdue> overdue(BucketId bucket, long olderThanMs, int limit);

  /**
   * What of the order log a term has booked.
   *
   * @param from the offset at which it was taken over
   * @param to the offset up to which it is booked
   */
  record Stretch(long from, long to) {}

  /**
   * Notes that these tokens are booked in the ledger: takes them out of {@code unbooked}, and notes
   * how far the log is booked. OK (also where the bucket is away: dropped) or STALE_TERM.
   *
   * <p>A note that is above the offset at which a later term begins stays until the bucket is
   * loaded anew: it tells that the ledger was put back to an earlier state.
   */
  Future<BucketCode> book(BucketId bucket, long term, Stretch booked, List<OrderToken> tokens);

  /** An ended order whose units go back on sale; applied only to the very grant that it names. */
  record Release(OrderToken token, long epoch, long seq) {}

  /**
   * Ends these tokens and returns their units and their buyers' limit. OK, STALE_TERM, or ABSENT,
   * LOST, LOADING: again later.
   */
  Future<BucketCode> release(BucketId bucket, long term, List<Release> releases);

  /**
   * The absolute state of a bucket as the ledger records it.
   *
   * @param version ignored by the store unless higher than what it has
   * @param allotted units, 0 to {@link io.sluice.model.Limits#TOTAL_STOCK_MAX}
   */
  record Ceiling(long version, long allotted, SkuState state, SkuSettings settings) {}

  /**
   * Sets total, state and settings. OK (also when ignored), NEEDS_REBUILD, STALE_TERM, or ABSENT,
   * LOST, LOADING: again later.
   */
  Future<BucketCode> restock(BucketId bucket, long term, Ceiling ceiling);

  /**
   * Units to be taken back.
   *
   * @param id at least 1, and higher with each take of this bucket
   * @param epoch of the bucket, as the ledger records it
   * @param version of the total that they are taken from
   */
  record Take(long id, long epoch, long version, long units) {}

  /**
   * Lowers the total, if as many units are available. In one epoch and version a take is decided
   * once: asked again it answers the same. OK, TOO_FEW, STALE_TERM, or ABSENT, LOST, LOADING,
   * SUPERSEDED (epoch or version is another, or a later take was decided): again later.
   */
  Future<BucketCode> take(BucketId bucket, long term, Take take);

  /**
   * Answer of {@code freeze}: OK with the mark that now stands there, or STALE_TERM.
   *
   * @param mark names this freeze, and the Redis process and history that it was done in; empty
   *     where not OK
   * @param epoch that stands there, also of a history that is lost; 0 where there is none
   * @param term that stands there: the caller's, or the higher one
   */
  record Frozen(BucketCode code, String mark, long epoch, long term) {}

  /**
   * Marks the bucket LOADING under this term, also in an empty Redis. Each freeze ends the rebuild
   * of the one before: what that has sent and Redis meets only now is SUPERSEDED.
   */
  Future<Frozen> freeze(BucketId bucket, long term);

  /**
   * The head of a bucket to be loaded. Everything recorded before is dropped.
   *
   * @param epoch the new epoch
   * @param claimed units that live orders occupy: held + sold
   */
  record LoadHead(long epoch, long claimed, Ceiling ceiling) {}

  /** Writes the head and empties the rest. OK, STALE_TERM or SUPERSEDED. */
  Future<BucketCode> load(BucketId bucket, long term, String mark, LoadHead head);

  /** Adds a page of the ledger's orders, live ones as booked. OK, STALE_TERM or SUPERSEDED. */
  Future<BucketCode> loadPage(BucketId bucket, long term, String mark, List<Recorded> page);

  /**
   * Ends LOADING: the bucket serves again, as its state says. OK, STALE_TERM, or SUPERSEDED (also
   * before a load).
   */
  Future<BucketCode> open(BucketId bucket, long term, String mark);

  /**
   * What {@code book} has noted.
   *
   * @param by term; 0 where nothing was noted since the last load
   * @param to the offset up to which the log was booked then
   */
  record Told(long by, long to) {
    public static final Told NOTHING = new Told(0, 0);
  }

  /**
   * A bucket as it stands.
   *
   * @param code OK, ABSENT (all else 0, empty, CLOSED), LOST or LOADING; LOST and LOADING come with
   *     what stands there
   * @param term the highest that the bucket has seen; where LOADING, the mark's
   * @param told what {@code book} has noted
   * @param nowMs Redis' clock; 0 where ABSENT
   * @param unbookedCount how many grants are unbooked
   * @param unbooked these grants, or empty where there are more than the caller asked for
   * @param live of the tokens asked for, those that still occupy units, with their units
   */
  record Snapshot(
      BucketCode code,
      long total,
      long claimed,
      long released,
      long epoch,
      long version,
      long term,
      SkuState state,
      SkuSettings settings,
      Told told,
      long nowMs,
      long unbookedCount,
      List<Grant> unbooked,
      Map<OrderToken, Integer> live) {

    /** Units that can be granted now. */
    public long available() {
      return total - claimed + released;
    }
  }

  /**
   * Reads the bucket at one instant; with {@code unbookedMax} 0 and no tokens it is cheap.
   *
   * @param tokens up to {@link #SNAPSHOT_TOKENS_MAX}
   * @param unbookedMax 0 to {@link #UNBOOKED_MAX}
   */
  Future<Snapshot> snapshot(BucketId bucket, List<OrderToken> tokens, int unbookedMax);

  /** Buckets that {@code areQuiet} can be asked for. */
  int QUIET_MAX = 500;

  /**
   * Whether the store has all of these buckets, in whatever state, and none has unbooked grants.
   * Costs a small part of as many snapshots; not read at one instant.
   *
   * @param buckets 1 to {@link #QUIET_MAX}
   */
  Future<Boolean> areQuiet(List<BucketId> buckets);

  /** Redis' clock, epoch milliseconds. */
  Future<Long> nowMs();

  /** Names the Redis process that answers now, and the history of its data. */
  Future<String> history();

  /**
   * How long a former primary of these data may go on granting after its successor answers; ZERO
   * where there can be no successor. Fails where Redis has replicas and is not fit to.
   */
  Future<Duration> replicaLag();
}
