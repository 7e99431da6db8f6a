package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stock of the buckets in one partition, each call is one atomic step on one bucket;
 * docs/design.md section 5.
 *
 * <p>A failed Future means that the outcome is unknown. Calls with a term come from the owner of
 * the bucket's partition; the store keeps the highest term per bucket and rejects lower ones with
 * STALE_TERM. All are idempotent per token. {@code book}, {@code release}, {@code lookup} and
 * {@code loadPage} take any number of tokens; more than {@link #BATCH_MAX} are sent in several
 * steps, which stop at the first that is not OK.
 */
public interface StockStore extends StockProcess, StockGlances, StockLoading, StockReads {
  /** The maximum number of requests in one {@code reserve}. */
  int BATCH_MAX = 512;

  /**
   * One buyer's request.
   *
   * @param reference the caller's own name for the order, recorded with the grant; null for none. A
   *     repeated request gets the recorded one
   * @param saleNo of the SKU's sale, as the caller believes; 0 if it is in none
   */
  record Request(
      OrderToken token, String userId, int qty, @Nullable String reference, long saleNo) {
    /** A request without a reference, for a SKU that was never in a sale. */
    public Request(OrderToken token, String userId, int qty) {
      this(token, userId, qty, null, 0);
    }

    /** The request for one line of a cart, as if it were alone. */
    public static Request ofLine(CartRequest cart, int index) {
      CartRequest.Line line = cart.lines().get(index);
      return new Request(
          cart.token().in(line.bucket()),
          cart.userId(),
          line.qty(),
          cart.reference(),
          line.saleNo());
    }

    /** The grant of this request. */
    public Grant granted(long seq, long epoch, long grantedAtMs, long payBeforeMs) {
      Grant.Units units = new Grant.Units(qty, seq, epoch, grantedAtMs, payBeforeMs, saleNo);
      return new Grant(token, userId, units, reference, null);
    }
  }

  /**
   * Decides the requests, 1 to {@link #BATCH_MAX}, all for one sale, in order, each on the state
   * that the one before has left.
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
   * Decides carts, 1 to {@link #CARTS_MAX} in at most {@link #CART_BUCKETS_MAX} buckets, in order,
   * each as a whole on the state that the one before has left. All requests for one bucket believe
   * it in the same sale. What {@link #reserve} says of sold-out holds for each bucket.
   */
  Future<CartReply> reserveCarts(List<CartRequest> carts);

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
   */
  record Release(OrderToken token, long epoch, long seq, int left) {
    public Release(OrderToken token, long epoch, long seq) {
      this(token, epoch, seq, 0);
    }
  }

  /**
   * Lowers what these tokens occupy, ends them if nothing is left, and returns their units and
   * their share of the buyer's limit. OK, STALE_TERM, or ABSENT, LOST, LOADING: retry later.
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
}
