package io.sluice.grant;

import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import io.sluice.async.LoopContext;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.TokenPage;
import java.time.Duration;
import java.util.List;

/**
 * The tokens and buyers that a bucket has recorded, as fingerprints. It is read page by page, and
 * complete only for the contents (epoch, {@code claimed}) that all of its pages reported.
 *
 * <p>That suffices: within an epoch no token is removed, and each new one raises {@code claimed}.
 * So a bucket that reports the same contents has exactly these tokens. A copy of other contents is
 * not used.
 */
final class TokenReplica {
  /** Buckets with more tokens are not copied: at most 4 MiB each for tokens and buyers. */
  static final int TOKENS_MAX = 250_000;

  static final int PAGE = 1_000;

  /** Reading takes time of Redis that grants need: at most this share. */
  private static final int READING_PERCENT = 5;

  /** After any reading, one that failed included. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(100);

  /** Before a bucket for which there was no room is read again. */
  private static final Duration PAUSE_TOO_LARGE = Duration.ofSeconds(10);

  private final BucketId bucket;
  private final StockStore stock;
  private final LoopContext loop;
  private final CopySpace space;
  private Contents contents = Contents.UNKNOWN;
  private Fingerprints tokens = new Fingerprints();
  private Fingerprints buyers = new Fingerprints();
  private Contents readContents = Contents.UNKNOWN;
  private boolean reading;
  private boolean readBefore;
  private boolean dropped;
  private long startNanos;
  private long pauseNanos;
  private long pausedNanos;

  TokenReplica(BucketId bucket, StockStore stock, LoopContext loop, CopySpace space) {
    this.bucket = bucket;
    this.stock = stock;
    this.loop = loop;
    this.space = space;
  }

  /** Whether it has all tokens of a bucket with these contents. */
  boolean isOf(Contents other) {
    return contents.sameTokens(other);
  }

  /** False only if the token is certainly not recorded. */
  boolean mayHave(OrderToken token) {
    return tokens.mayContain(token.value());
  }

  /** False only if no token of this buyer is recorded. */
  boolean mayHaveBuyer(String userId) {
    return buyers.mayContain(userId);
  }

  /** Adds grants made through this event loop, if no others came in between. */
  void note(ReserveReply reply) {
    long granted = 0;
    for (GrantOutcome outcome : reply.outcomes()) {
      if (outcome instanceof GrantOutcome.Granted fresh) {
        granted += fresh.grant().qty();
      }
    }
    Contents now = reply.contents();
    if (granted == 0 || !contents.sameTokens(before(now, granted))) {
      return;
    }
    for (GrantOutcome outcome : reply.outcomes()) {
      if (outcome instanceof GrantOutcome.Granted fresh) {
        add(fresh.grant().token().value(), fresh.grant().userId());
      }
    }
    contents = now;
    if (tokens.size() > TOKENS_MAX) {
      forget();
    }
  }

  private static Contents before(Contents now, long granted) {
    return new Contents(now.epoch(), now.claimed() - granted, now.limitPerUser());
  }

  private void add(String token, String userId) {
    int before = size();
    tokens.add(token);
    buyers.add(userId);
    space.take(size() - before);
  }

  /** Gives its space back for good: a page that is still on its way is not taken over. */
  void drop() {
    dropped = true;
    forget();
  }

  /**
   * Forgets what it has, and reads all tokens if there is space; unless a read is in progress or
   * has just ended.
   */
  void read() {
    if (reading || (readBefore && loop.now() - pausedNanos < pauseNanos)) {
      return;
    }
    forget();
    if (!space.isFull()) {
      reading = true;
      readBefore = true;
      startNanos = loop.now();
      readFrom(StockStore.FIRST_PAGE);
    }
  }

  private void readFrom(String cursor) {
    stock
        .tokens(bucket, cursor, PAGE)
        .onComplete(
            page -> {
              if (page.succeeded()) {
                take(page.result(), cursor);
              } else {
                forget();
                end(PAUSE_MIN);
              }
            });
  }

  private void take(TokenPage page, String cursor) {
    if (dropped) {
      return;
    }
    if (cursor.equals(StockStore.FIRST_PAGE)) {
      readContents = page.contents();
    }
    if (page.code() != BucketCode.OK || !readContents.sameTokens(page.contents())) {
      forget();
      end(PAUSE_MIN);
    } else if (page.recorded() > TOKENS_MAX || space.isFull()) {
      forget();
      end(PAUSE_TOO_LARGE);
    } else {
      List<String> names = page.tokens();
      for (int i = 0; i < names.size(); i += 2) {
        add(names.get(i), names.get(i + 1));
      }
      if (page.next().equals(StockStore.FIRST_PAGE)) {
        contents = readContents;
        end(PAUSE_MIN);
      } else {
        readFrom(page.next());
      }
    }
  }

  private void end(Duration pauseMin) {
    reading = false;
    pausedNanos = loop.now();
    long took = pausedNanos - startNanos;
    pauseNanos = Math.max(pauseMin.toNanos(), took * 100 / READING_PERCENT);
  }

  private void forget() {
    space.giveBack(size());
    contents = Contents.UNKNOWN;
    tokens = new Fingerprints();
    buyers = new Fingerprints();
  }

  /** Its size, in fingerprints of tokens and buyers. */
  int size() {
    return tokens.size() + buyers.size();
  }

  /**
   * A set of texts that stores 64 bits of each. A text in the set is always found; one that is not
   * in it is found by mistake only with very low probability.
   */
  static final class Fingerprints {
    private static final int CAPACITY_MIN = 64;
    private static final float LOAD = 0.75f;
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    /** A map whose keys take no object each; its values say nothing. */
    private final LongObjectMap<Boolean> all = new LongObjectHashMap<>(CAPACITY_MIN, LOAD);

    void add(String text) {
      all.put(fingerprint(text), Boolean.TRUE);
    }

    boolean mayContain(String text) {
      return all.containsKey(fingerprint(text));
    }

    int size() {
      return all.size();
    }

    /** FNV-1a with a finalizer. */
    private static long fingerprint(String text) {
      long hash = OFFSET;
      for (int i = 0; i < text.length(); i++) {
        hash = (hash ^ text.charAt(i)) * PRIME;
      }
      hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
      return hash ^ (hash >>> 33);
    }
  }

  /**
   * The memory of all {@link TokenReplica copies} of an event loop, counted in fingerprints of
   * tokens and buyers.
   */
  static final class CopySpace {
    /** 32 to 64 MiB, as full as their tables are. */
    static final int FINGERPRINTS_MAX = 2_000_000;

    private long used;

    /** Whether no further page may be copied. */
    boolean isFull() {
      return used >= FINGERPRINTS_MAX;
    }

    void take(int fingerprints) {
      used += fingerprints;
    }

    void giveBack(int fingerprints) {
      used -= fingerprints;
    }

    long used() {
      return used;
    }
  }
}
