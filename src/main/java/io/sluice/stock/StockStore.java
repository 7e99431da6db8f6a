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
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The stock of the buckets in one partition, each call is one atomic step on one bucket;
 * docs/design-stock.md section 5.
 *
 * <p>A failed Future means that the outcome is unknown. Calls with a term come from the owner of
 * the bucket's partition; the store keeps the highest term per bucket and rejects lower ones with
 * STALE_TERM. All are idempotent per token. {@code book}, {@code release}, {@code lookup} and
 * {@code loadPage} take any number of tokens; more than {@link #BATCH_MAX} are sent in several
 * steps, which stop at the first that is not OK.
 */
public interface StockStore {
  /** The maximum number of requests in one {@code reserve}. */
  int BATCH_MAX = 512;

  /**
   * One buyer's request, for units of one SKU or of several, of all or of none.
   *
   * @param token of several lines that of the first; those of the others differ in the bucket only
   * @param qty of several lines that of the first
   * @param reference the caller's own name for the order, recorded with the grant; null for none. A
   *     repeated request gets the recorded one
   * @param saleNo of the SKU's sale, as the caller believes; 0 if it is in none
   * @param cart its lines, {@link io.sluice.model.Limits#CART_LINES_MIN} to {@link
   *     io.sluice.model.Limits#CART_LINES_MAX} by SKU id, which differ; all in one partition, or in
   *     none. Null if there is one line only
   */
  record Request(
      OrderToken token,
      String userId,
      int qty,
      @Nullable String reference,
      long saleNo,
      @Nullable List<Line> cart) {
    /** A request for one SKU. */
    public Request(
        OrderToken token, String userId, int qty, @Nullable String reference, long saleNo) {
      this(token, userId, qty, reference, saleNo, null);
    }

    /** A request without a reference, for a SKU that was never in a sale. */
    public Request(OrderToken token, String userId, int qty) {
      this(token, userId, qty, null, 0);
    }

    /** A request for several SKUs. */
    public static Request ofLines(
        OrderToken token, String userId, @Nullable String reference, List<Line> lines) {
      Line first = lines.get(0);
      return new Request(token, userId, first.qty(), reference, first.saleNo(), List.copyOf(lines));
    }

    /** The units of one of its lines. */
    public int qty(int line) {
      return cart == null ? qty : cart.get(line).qty();
    }

    /** Its lines, in their order. */
    public List<Line> lines() {
      return cart == null ? List.of(new Line(token.bucketId(), qty, saleNo)) : cart;
    }

    /** The request for one of its lines, as if that were alone. */
    public Request line(int index) {
      if (cart == null) {
        return this;
      }
      Line line = cart.get(index);
      return new Request(token.in(line.bucket()), userId, line.qty(), reference, line.saleNo());
    }

    /** The grant of this request. */
    public Grant granted(long seq, long epoch, long grantedAtMs, long payBeforeMs) {
      Grant.Units units = new Grant.Units(qty, seq, epoch, grantedAtMs, payBeforeMs, saleNo);
      return new Grant(token, userId, units, reference, null);
    }
  }

  /**
   * Units of one SKU of several.
   *
   * @param saleNo of the SKU's sale, as the caller believes
   */
  record Line(BucketId bucket, int qty, long saleNo) {}

  /**
   * Decides the requests, 1 to {@link #BATCH_MAX}, each of one line, all for one sale, in order,
   * each on the state that the one before has left.
   *
   * <p>If one is sold out because nothing is available, and the SKU has no other bucket, no new
   * token is granted for {@link #SOLD_OUT_MAX_MS}, even if units are returned meanwhile. {@code
   * soldOutMs} of each reply is the time that remains. During that time the bucket's contents do
   * not change, and a caller that has a complete copy of them may refuse other tokens by itself.
   * Refusals during that time do not extend it.
   */
  Future<ReserveReply> reserve(BucketId bucket, List<Request> requests);

  /** The maximum number of carts in one {@code reserveCarts}. */
  int CARTS_MAX = 128;

  /** The maximum number of buckets in one {@code reserveCarts}. */
  int CART_BUCKETS_MAX = 512;

  /**
   * Decides requests of several lines, 1 to {@link #CARTS_MAX} in at most {@link #CART_BUCKETS_MAX}
   * buckets, in order, each as a whole on the state that the one before has left. All requests for
   * one bucket believe it in the same sale. What {@link #reserve} says of sold-out holds for each
   * bucket.
   */
  Future<ReserveReply> reserveCarts(List<Request> carts);

  /**
   * A page of all tokens, live and ended ones. If all pages from the first to the last report
   * contents with the same tokens, they have all tokens, some perhaps twice.
   *
   * @param code OK, or ABSENT, LOST, LOADING without tokens
   * @param recorded the total number of tokens
   * @param next where the next page begins; {@link #FIRST_PAGE} after the last
   * @param tokens as text, each followed by its buyer
   */
  record TokenPage(
      BucketCode code,
      ReserveReply.Contents contents,
      long recorded,
      String next,
      List<String> tokens) {}

  /** The start of the first page of {@code tokens}. */
  String FIRST_PAGE = "0";

  /** The maximum number of tokens in a page of {@code tokens}. */
  int TOKENS_MAX = 2_000;

  /**
   * Reads a page of tokens.
   *
   * @param limit the approximate number, 1 to {@link #TOKENS_MAX}
   */
  Future<TokenPage> tokens(BucketId bucket, String from, int limit);

  /**
   * The reply to {@code lookup}: code OK, or ABSENT, LOST, LOADING with an empty map. Unknown
   * tokens are left out.
   */
  record Lookup(BucketCode code, Map<OrderToken, Recorded> recorded) {}

  /** Reads the records of these tokens. */
  Future<Lookup> lookup(BucketId bucket, List<OrderToken> tokens);

  /** The reply to {@code overdue}: code OK, LOST or LOADING, or ABSENT with an empty list. */
  record Overdue(BucketCode code, List<Grant> grants) {}

  /**
   * The oldest grants of {@code unbooked} that were granted at least {@code olderThanMs} ago on the
   * clock of Redis. Also those that seem to be from the future because that clock was set back.
   *
   * <p>Of a bucket that is LOST or LOADING, a page of what is left of {@code unbooked}, whatever
   * its age: nothing can be removed there until the bucket is loaded.
   *
   * <p>Of a bucket that is OK, tokens without a record are passed over, {@link #PASSED_OVER} of
   * them at least. If these had none, so many others are looked at, each minute those behind.
   *
   * @param limit how many at most, 1 to {@link #UNBOOKED_MAX}
   * @param skip how many of the oldest to pass over: those that were returned if LOST or LOADING,
   *     else those that have no record
   */
  Future<Overdue> overdue(BucketId bucket, long olderThanMs, int limit, int skip);

  /** The first of them. */
  default Future<Overdue> overdue(BucketId bucket, long olderThanMs, int limit) {
    return overdue(bucket, olderThanMs, limit, 0);
  }

  /**
   * The range of the order log that a term has booked.
   *
   * @param from the offset at which the term began
   * @param to the offset up to which it is booked
   */
  record Stretch(long from, long to) {}

  /**
   * Records that these tokens are booked in the ledger: removes them from {@code unbooked}, and
   * stores the offset up to which the log is booked. OK (also if the bucket cannot be served:
   * dropped) or STALE_TERM.
   *
   * <p>A stored offset above the one at which a later term begins stays until the bucket is loaded
   * again: it shows that the ledger was restored to an earlier state.
   */
  Future<BucketCode> book(BucketId bucket, long term, Stretch booked, List<OrderToken> tokens);

  /**
   * An order of which units go back on sale. Only the grant with this epoch and seq is released.
   *
   * @param left units that it still occupies; 0 if it has ended
   * @param withdrawn units of it so far that have left the stock: they are not put back on sale
   */
  record Release(OrderToken token, long epoch, long seq, int left, int withdrawn) {
    /** Of an order of which nothing has left the stock. */
    public Release(OrderToken token, long epoch, long seq, int left) {
      this(token, epoch, seq, left, 0);
    }
  }

  /**
   * Lowers what these tokens occupy, ends them if nothing is left, and returns their units, except
   * withdrawn ones, and their share of the buyer's limit. OK, STALE_TERM, or ABSENT, LOST, LOADING:
   * retry later.
   */
  Future<BucketCode> release(BucketId bucket, long term, List<Release> releases);

  /**
   * Sets total, state and settings; of the version that it has already, only the total of the SKU.
   * OK (also when ignored), NEEDS_REBUILD, STALE_TERM, or ABSENT, LOST, LOADING: retry later.
   */
  Future<BucketCode> restock(BucketId bucket, long term, BucketTotal ceiling);

  /**
   * Units to take back.
   *
   * @param id at least 1, and higher with each take of this bucket
   * @param epoch of the bucket, as the ledger records it
   * @param version of the total that they are taken from
   */
  record Take(long id, long epoch, long version, long units) {}

  /**
   * Lowers the total, if as many units are available. In one epoch and version a take is decided
   * once; a retry gets the same answer. OK, TOO_FEW, STALE_TERM, or ABSENT, LOST, LOADING,
   * SUPERSEDED (epoch or version differs, or a later take was decided): retry later.
   */
  Future<BucketCode> take(BucketId bucket, long term, Take take);

  // ---- reads of a bucket as a whole

  /** The maximum number of grants that {@code overdue} and {@code snapshot} return. */
  int UNBOOKED_MAX = 2_000;

  /** {@code overdue} passes over so many tokens at least that have no record. */
  int PASSED_OVER = 10_000;

  /** The maximum number of tokens in one {@code snapshot}. */
  int SNAPSHOT_TOKENS_MAX = 5_000;

  /** How long a bucket that was found empty grants nothing new, at most. */
  int SOLD_OUT_MAX_MS = 250;

  /**
   * What {@code book} has stored.
   *
   * @param by term; 0 if nothing was stored since the last load
   * @param to the offset up to which the log was booked then
   */
  record BookedMark(long by, long to) {
    public static final BookedMark NOTHING = new BookedMark(0, 0);
  }

  /**
   * The state of a bucket.
   *
   * @param code OK, ABSENT (everything else 0, empty, CLOSED), LOST or LOADING; LOST and LOADING
   *     come with the data that is there
   * @param term the highest that the bucket has seen; if LOADING, the mark's
   * @param told the value that {@code book} has stored
   * @param nowMs the clock of Redis; 0 if ABSENT
   * @param unbookedCount the number of unbooked grants
   * @param unbooked these grants, or empty if there are more than the caller asked for
   * @param live those of the requested tokens that still occupy units, with their units
   * @param skuTotal the units of all buckets of the SKU; {@link #UNKNOWN} if that is not known for
   *     this version, or it has no other bucket
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
      BookedMark told,
      long nowMs,
      long unbookedCount,
      List<Grant> unbooked,
      Map<OrderToken, Integer> live,
      long skuTotal) {
    /** Units that can be granted now. */
    public long available() {
      return total - claimed + released;
    }
  }

  /**
   * Reads the bucket at one instant; cheap with {@code unbookedMax} 0 and no tokens.
   *
   * @param tokens up to {@link #SNAPSHOT_TOKENS_MAX}
   * @param unbookedMax 0 to {@link #UNBOOKED_MAX}
   */
  Future<Snapshot> snapshot(BucketId bucket, List<OrderToken> tokens, int unbookedMax);

  /**
   * The reply to {@code soldOut}.
   *
   * @param code OK, or ABSENT, LOST, LOADING: then nothing was read
   * @param skuTotal the units of all buckets of the SKU; {@link #UNKNOWN} if that is not known for
   *     this version
   * @param contents identifies the bucket's token set
   * @param soldOutMs how long nothing new is granted, in milliseconds; 0 if it may be
   */
  record EmptyBucket(
      BucketCode code,
      long total,
      long released,
      long version,
      long skuTotal,
      ReserveReply.Contents contents,
      int soldOutMs) {
    /** What a snapshot says. */
    public static EmptyBucket of(Snapshot seen, int soldOutMs) {
      return new EmptyBucket(
          seen.code(),
          seen.total(),
          seen.released(),
          seen.version(),
          seen.skuTotal(),
          new ReserveReply.Contents(seen.epoch(), seen.claimed(), seen.settings().limitPerUser()),
          soldOutMs);
    }

    /** Units that can be granted. */
    public long available() {
      return total - contents.claimed() + released;
    }
  }

  /** The total of a SKU if it is not known. */
  long UNKNOWN = -1;

  /**
   * Reads a bucket that was found empty. If it still is, lets it grant nothing new for {@link
   * #SOLD_OUT_MAX_MS}, as {@code reserve} does if the SKU has no other bucket.
   */
  Future<EmptyBucket> soldOut(BucketId bucket);

  // ---- questions about many buckets at once, each at a small part of the cost of as many
  // snapshots;
  // not read at one instant

  /** The maximum number of buckets in one question. */
  int BUCKETS_MAX = 500;

  /**
   * Whether the store has all of these buckets, in any state, none lacks a part, and none has
   * unbooked grants.
   *
   * @param buckets 1 to {@link #BUCKETS_MAX}
   */
  Future<Boolean> areQuiet(List<BucketId> buckets);

  /**
   * Whether the store has anything of one of these buckets, in any state.
   *
   * @param buckets 1 to {@link #BUCKETS_MAX}
   */
  Future<Boolean> hasAny(List<BucketId> buckets);

  // ---- loading from the ledger, and unloading

  /**
   * The absolute state of a bucket as the ledger records it.
   *
   * @param version ignored by the store unless higher than its own
   * @param allotted units, 0 to {@link io.sluice.model.Limits#TOTAL_STOCK_MAX}
   * @param skuTotal the units of all buckets of the SKU; empty if it has no other bucket
   */
  record BucketTotal(
      long version, long allotted, SkuState state, SkuSettings settings, OptionalLong skuTotal) {
    /** That of the only bucket of a SKU. */
    public BucketTotal(long version, long allotted, SkuState state, SkuSettings settings) {
      this(version, allotted, state, settings, OptionalLong.empty());
    }
  }

  /**
   * The reply to {@code freeze}: OK with the mark of the bucket now, or STALE_TERM.
   *
   * @param mark identifies this freeze, and the Redis process and history that it was done in; no
   *     other freeze of this term has it; empty if not OK
   * @param epoch of the bucket, also of a lost history; 0 if there is none
   * @param term of the bucket: the caller's, or a higher one
   */
  record Frozen(BucketCode code, String mark, long epoch, long term) {
    private static final char NUMBER = ':';

    /** Whether another freeze of the bucket was done in the same Redis process and history. */
    public boolean isWhere(Frozen other) {
      return where().equals(other.where());
    }

    private String where() {
      return mark.substring(0, mark.lastIndexOf(NUMBER) + 1);
    }
  }

  /**
   * Marks the bucket LOADING under this term, also in an empty Redis. Each freeze supersedes the
   * rebuild before it: calls of that rebuild which arrive later are SUPERSEDED.
   */
  Future<Frozen> freeze(BucketId bucket, long term);

  /**
   * The head of a bucket to load. Everything recorded before is dropped.
   *
   * @param epoch the new epoch
   * @param claimed units of live orders: held + sold
   * @param saleNo of the SKU's sale; 0 if it is in none
   */
  record LoadHead(long epoch, long claimed, BucketTotal ceiling, long saleNo) {}

  /** Writes the head and deletes everything else. OK, STALE_TERM or SUPERSEDED. */
  Future<BucketCode> load(BucketId bucket, long term, String mark, LoadHead head);

  /** Adds a page of the ledger's orders, live ones as booked. OK, STALE_TERM or SUPERSEDED. */
  Future<BucketCode> loadPage(BucketId bucket, long term, String mark, List<Recorded> page);

  /**
   * Ends LOADING: the bucket serves again, according to its state. OK, STALE_TERM, or SUPERSEDED
   * (also before a load).
   */
  Future<BucketCode> open(BucketId bucket, long term, String mark);

  /**
   * Deletes a bucket that has ended or left the partition, and everything that was recorded of it.
   * OK (also if it is not there), STALE_TERM or SUPERSEDED.
   */
  Future<BucketCode> unload(BucketId bucket, long term, String mark);

  // ---- the process that has the stock

  /** The clock of Redis, epoch milliseconds. */
  Future<Long> nowMs();

  /** Identifies the Redis process that answers now, and the history of its data. */
  Future<String> history();

  /**
   * The state of a store as a whole.
   *
   * @param history as {@link #history} has it
   * @param writes differs after every change of any data; empty if the store does not count them
   */
  record Stamp(String history, String writes) {
    /** Differs from every other, also from itself. */
    public static final Stamp UNKNOWN = new Stamp("", "");

    /** Whether nothing was written between the two. */
    public boolean isUnchangedSince(Stamp before) {
      return !writes.isEmpty() && equals(before);
    }
  }

  /** The stamp of the store now; costs as much as {@link #history}. */
  Future<Stamp> stamp();

  /**
   * How long a former primary of these data may continue to grant after its successor answers; ZERO
   * if there can be no successor. Fails if Redis has replicas but is not configured for them.
   */
  Future<Duration> replicaLag();
}
