package io.sluice.stock.redis;

import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.EmptyBucket;
import io.sluice.stock.StockStore.Frozen;
import io.sluice.stock.StockStore.Lookup;
import io.sluice.stock.StockStore.Overdue;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.TokenPage;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parses the replies of the scripts; the scripts' headers document their format. */
final class StockReplies {
  private static final int RESERVE_HEAD = 10;
  private static final int TOKENS_HEAD = 5;
  private static final int SNAPSHOT_HEAD = 18;

  private StockReplies() {}

  static BucketCode code(Response reply) {
    return BucketCode.of(reply.toLong());
  }

  static ReserveReply reserve(Response reply, List<Request> requests) {
    BucketCode code = code(reply.get(0));
    if (code != BucketCode.OK) {
      return new ReserveReply(code, 0, List.of());
    }
    List<GrantOutcome> outcomes = new ArrayList<>(requests.size());
    int at = RESERVE_HEAD;
    for (Request request : requests) {
      TokenCode token = TokenCode.of(reply.get(at++).toLong());
      if (token == TokenCode.GRANTED) {
        outcomes.add(new GrantOutcome.Granted(granted(request, reply.get(at++).toLong(), reply)));
      } else if (token == TokenCode.ALREADY) {
        boolean unbooked = reply.get(at + 1).toLong() == 1;
        Recorded recorded = GrantRecord.parse(request.token(), reply.get(at).toString(), unbooked);
        outcomes.add(new GrantOutcome.Already(recorded.grant(), unbooked));
        at += 2;
      } else {
        outcomes.add(token.refused());
      }
    }
    Contents contents =
        new Contents(
            reply.get(2).toLong(), reply.get(5).toLong(), Math.toIntExact(reply.get(6).toLong()));
    return new ReserveReply(
        code,
        reply.get(1).toLong(),
        outcomes,
        contents,
        reply.get(7).toInteger(),
        reply.get(8).toString());
  }

  /** A grant of this reply, whose head has what all its grants share. */
  private static Grant granted(Request request, long seq, Response reply) {
    return request.granted(
        seq, reply.get(2).toLong(), reply.get(3).toLong(), reply.get(4).toLong());
  }

  static EmptyBucket soldOut(Response reply) {
    BucketCode code = code(reply.get(0));
    return code == BucketCode.OK
        ? new EmptyBucket(
            code,
            reply.get(1).toLong(),
            reply.get(3).toLong(),
            reply.get(5).toLong(),
            reply.get(6).toLong(),
            new Contents(reply.get(4).toLong(), reply.get(2).toLong(), reply.get(7).toInteger()),
            reply.get(8).toInteger())
        : new EmptyBucket(code, 0, 0, 0, StockStore.UNKNOWN, Contents.UNKNOWN, 0);
  }

  static TokenPage tokens(Response reply) {
    BucketCode code = code(reply.get(0));
    if (code != BucketCode.OK) {
      return new TokenPage(code, Contents.UNKNOWN, 0, StockStore.FIRST_PAGE, List.of());
    }
    List<String> tokens = new ArrayList<>(reply.size() - TOKENS_HEAD);
    for (int at = TOKENS_HEAD; at < reply.size(); at++) {
      tokens.add(reply.get(at).toString());
    }
    Contents contents = new Contents(reply.get(1).toLong(), reply.get(2).toLong(), 0);
    return new TokenPage(code, contents, reply.get(3).toLong(), reply.get(4).toString(), tokens);
  }

  static Lookup lookup(Response reply, List<OrderToken> tokens) {
    Map<OrderToken, Recorded> recorded = new HashMap<>();
    for (int at = 1; at < reply.size(); at += 2) {
      String record = reply.get(at).toString();
      if (!record.isEmpty()) {
        OrderToken token = tokens.get((at - 1) / 2);
        recorded.put(token, GrantRecord.parse(token, record, reply.get(at + 1).toLong() == 1));
      }
    }
    return new Lookup(code(reply.get(0)), recorded);
  }

  static Overdue overdue(Response reply) {
    return new Overdue(code(reply.get(0)), unbooked(reply, 1, reply.size()));
  }

  static Snapshot snapshot(Response reply, List<OrderToken> tokens) {
    BucketCode code = code(reply.get(0));
    if (code == BucketCode.ABSENT) {
      return absent();
    }
    int unbookedEnd = SNAPSHOT_HEAD + 2 * reply.get(16).toInteger();
    Map<OrderToken, Integer> live = new HashMap<>();
    for (int i = 0; i < tokens.size(); i++) {
      int units = reply.get(unbookedEnd + i).toInteger();
      if (units > 0) {
        live.put(tokens.get(i), units);
      }
    }
    return new Snapshot(
        code,
        reply.get(1).toLong(),
        reply.get(2).toLong(),
        reply.get(3).toLong(),
        reply.get(4).toLong(),
        reply.get(5).toLong(),
        reply.get(6).toLong(),
        SkuState.valueOf(reply.get(7).toString()),
        settings(reply),
        new BookedMark(reply.get(12).toLong(), reply.get(13).toLong()),
        reply.get(14).toLong(),
        reply.get(15).toLong(),
        unbooked(reply, SNAPSHOT_HEAD, unbookedEnd),
        live,
        reply.get(17).toLong());
  }

  static Frozen frozen(Response reply) {
    return new Frozen(
        code(reply.get(0)), reply.get(1).toString(), reply.get(2).toLong(), reply.get(3).toLong());
  }

  private static Snapshot absent() {
    SkuSettings none = new SkuSettings(0, 0, 0, 0);
    return new Snapshot(
        BucketCode.ABSENT,
        0,
        0,
        0,
        0,
        0,
        0,
        SkuState.CLOSED,
        none,
        BookedMark.NOTHING,
        0,
        0,
        List.of(),
        Map.of(),
        StockStore.UNKNOWN);
  }

  private static SkuSettings settings(Response snapshot) {
    return new SkuSettings(
        snapshot.get(11).toLong(),
        snapshot.get(10).toInteger(),
        snapshot.get(8).toLong(),
        snapshot.get(9).toLong());
  }

  private static List<Grant> unbooked(Response reply, int from, int end) {
    List<Grant> grants = new ArrayList<>((end - from) / 2);
    for (int at = from; at < end; at += 2) {
      String text = reply.get(at).toString();
      OrderToken token =
          OrderToken.parse(text)
              .orElseThrow(
                  () -> new IllegalStateException("Expected an order token, but found " + text));
      grants.add(GrantRecord.parse(token, reply.get(at + 1).toString(), true).grant());
    }
    return grants;
  }

  /** The reply to TIME, as epoch milliseconds. */
  static long timeMs(Response time) {
    return time.get(0).toLong() * 1_000 + time.get(1).toLong() / 1_000;
  }
}
