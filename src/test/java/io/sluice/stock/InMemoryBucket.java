package io.sluice.stock;

import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Stretch;
import io.sluice.stock.StockStore.Take;
import io.sluice.stock.StockStore.TokenPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The contents of a bucket's four keys, with the rules of the scripts. Has neither a clock nor a
 * history.
 */
final class InMemoryBucket {
  /** The progress of a rebuild: MARKED by freeze, LOADED once there is a head. */
  enum Mark {
    NONE,
    MARKED,
    LOADED
  }

  private static final GrantOutcome SOLD_OUT = new GrantOutcome.Refused(Refusal.SOLD_OUT);

  String history = "";
  String markName = "";
  long term;
  Mark mark = Mark.NONE;
  long total;
  long claimed;
  long released;
  long epoch;
  long version;
  long taken;
  BucketCode takenCode = BucketCode.OK;
  BookedMark told = BookedMark.NOTHING;
  long soldOutUntilMs;
  long saleNo;
  OptionalLong skuTotal = OptionalLong.empty();
  SkuState state = SkuState.CLOSED;
  SkuSettings settings = new SkuSettings(0, 0, 0, 0);
  final Map<OrderToken, Recorded> records = new LinkedHashMap<>();
  private final Map<String, Integer> buyers = new HashMap<>();

  /** How many records, unbooked grants and buyers there must be. */
  private Entries entries = new Entries(0, 0, 0);

  private record Entries(long records, long unbooked, long buyers) {}

  /** A key of a bucket beside its head. */
  enum Key {
    RESERVE,
    UNBOOKED,
    BUYERS
  }

  InMemoryBucket copy() {
    InMemoryBucket copy = new InMemoryBucket();
    copy.history = history;
    copy.markName = markName;
    copy.term = term;
    copy.mark = mark;
    copy.total = total;
    copy.claimed = claimed;
    copy.released = released;
    copy.epoch = epoch;
    copy.version = version;
    copy.taken = taken;
    copy.takenCode = takenCode;
    copy.told = told;
    copy.soldOutUntilMs = soldOutUntilMs;
    copy.saleNo = saleNo;
    copy.skuTotal = skuTotal;
    copy.state = state;
    copy.settings = settings;
    copy.records.putAll(records);
    copy.buyers.putAll(buyers);
    copy.entries = entries;
    return copy;
  }

  private Entries present() {
    long unbooked = records.values().stream().filter(Recorded::unbooked).count();
    return new Entries(records.size(), unbooked, buyers.size());
  }

  /** Counts what is there now. Called after each change. */
  void count() {
    entries = present();
  }

  boolean isWhole() {
    return entries.equals(present());
  }

  void vanish(Key key) {
    if (key == Key.BUYERS) {
      buyers.clear();
    } else if (key == Key.UNBOOKED) {
      records.replaceAll(
          (token, known) -> new Recorded(known.grant(), known.left(), known.withdrawn(), false));
    } else {
      records.clear();
    }
  }

  long available() {
    return total - claimed + released;
  }

  ReserveReply reserve(List<Request> requests, long nowMs) {
    if (requests.get(0).saleNo() != saleNo) {
      return new ReserveReply(BucketCode.OTHER_SALE, 0, List.of());
    }
    long leftMs = stateAt(nowMs) == SkuState.OPEN ? soldOutUntilMs - nowMs : 0;
    boolean soldOut = leftMs > 0 && leftMs <= StockStore.SOLD_OUT_MAX_MS;
    long soldOutMs = soldOut ? leftMs : 0;
    List<GrantOutcome> outcomes = new ArrayList<>();
    requests.forEach(request -> outcomes.add(decide(request, nowMs, soldOut)));
    count();
    if (!soldOut && available() <= 0 && outcomes.contains(SOLD_OUT) && skuTotal.isEmpty()) {
      soldOutMs = StockStore.SOLD_OUT_MAX_MS;
      soldOutUntilMs = nowMs + soldOutMs;
    }
    return new ReserveReply(
        BucketCode.OK,
        soldOutMs > 0 ? Math.min(0, available()) : available(),
        outcomes,
        contents(),
        (int) soldOutMs,
        history.substring(0, Math.min(Limits.RUN_LENGTH, history.length())));
  }

  Contents contents() {
    return new Contents(epoch, claimed, settings.limitPerUser());
  }

  TokenPage tokens(String from, int limit) {
    return InMemoryTokens.page(contents(), List.copyOf(records.values()), from, limit);
  }

  SkuState stateAt(long nowMs) {
    return state.at(nowMs, settings.opensAtMs(), settings.closesAtMs());
  }

  private GrantOutcome decide(Request request, long nowMs, boolean soldOut) {
    Recorded known = records.get(request.token());
    if (known != null) {
      return repeated(request, known);
    }
    GrantOutcome refused = unless(request, nowMs, soldOut);
    return refused != null ? refused : new GrantOutcome.Granted(grant(request, nowMs));
  }

  GrantOutcome unless(Request request, long nowMs, boolean soldOut) {
    SkuState now = stateAt(nowMs);
    int limit = settings.limitPerUser();
    if (now == SkuState.FROZEN) {
      return new GrantOutcome.Refused(Refusal.BUSY);
    }
    if (now != SkuState.OPEN) {
      return new GrantOutcome.Refused(Refusal.NOT_OPEN);
    }
    if (limit > 0 && buyers.getOrDefault(request.userId(), 0) + request.qty() > limit) {
      return new GrantOutcome.Refused(Refusal.LIMIT_REACHED);
    }
    if (soldOut || request.qty() > available()) {
      return SOLD_OUT;
    }
    return null;
  }

  private static GrantOutcome repeated(Request request, Recorded known) {
    Grant grant = known.grant();
    if (grant.qty() != request.qty()
        || !grant.userId().equals(request.userId())
        || grant.cart() != null) {
      return new GrantOutcome.Refused(Refusal.KEY_MISMATCH);
    }
    return known.live()
        ? new GrantOutcome.Already(grant, known.unbooked())
        : new GrantOutcome.Refused(Refusal.ORDER_ENDED);
  }

  private Grant grant(Request request, long nowMs) {
    claimed += request.qty();
    long payBeforeMs = nowMs + settings.paymentWindowS() * 1_000;
    Grant grant = request.granted(claimed, epoch, nowMs, payBeforeMs);
    records.put(request.token(), new Recorded(grant, true, true));
    countUnits(request.userId(), request.qty());
    return grant;
  }

  void book(long by, Stretch booked, List<OrderToken> tokens) {
    if (told.by() == by ? booked.to() > told.to() : booked.from() >= told.to()) {
      told = new BookedMark(by, booked.to());
    }
    for (OrderToken token : tokens) {
      records.computeIfPresent(
          token, (t, known) -> new Recorded(known.grant(), known.left(), known.withdrawn(), false));
    }
    count();
  }

  void release(List<Release> releases) {
    for (Release release : releases) {
      Recorded known = records.get(release.token());
      if (known != null
          && known.left() > release.left()
          && known.grant().seq() == release.seq()
          && known.grant().epoch() == release.epoch()) {
        int left = release.left();
        int withdrawn = left > 0 ? release.withdrawn() : 0;
        records.put(release.token(), new Recorded(known.grant(), left, withdrawn, false));
        released += known.left() - left - (release.withdrawn() - known.withdrawn());
        countUnits(known.grant().userId(), left - known.left());
      }
    }
    count();
  }

  /** False where it switches a limit on while buyers hold units that were not counted. */
  boolean restock(BucketTotal ceiling) {
    if (ceiling.version() <= version) {
      if (ceiling.version() == version && ceiling.skuTotal().isPresent()) {
        skuTotal = ceiling.skuTotal();
      }
      return true;
    }
    int limit = ceiling.settings().limitPerUser();
    if (limit > 0 && settings.limitPerUser() == 0 && claimed > released) {
      return false;
    }
    set(ceiling);
    if (limit == 0) {
      buyers.clear();
    }
    count();
    return true;
  }

  /** Decided once per take id, within an epoch and version. */
  BucketCode take(Take take) {
    if (take.epoch() != epoch || take.version() != version || take.id() < taken) {
      return BucketCode.SUPERSEDED;
    }
    if (take.id() > taken) {
      taken = take.id();
      takenCode = available() < take.units() ? BucketCode.TOO_FEW : BucketCode.OK;
      total -= takenCode == BucketCode.OK ? take.units() : 0;
    }
    return takenCode;
  }

  void load(LoadHead head) {
    records.clear();
    buyers.clear();
    told = BookedMark.NOTHING;
    epoch = head.epoch();
    claimed = head.claimed();
    saleNo = head.saleNo();
    released = 0;
    set(head.ceiling());
    count();
    mark = Mark.LOADED;
  }

  void loadPage(List<Recorded> page) {
    for (Recorded loaded : page) {
      Grant grant = loaded.grant();
      Recorded before =
          records.put(grant.token(), new Recorded(grant, loaded.left(), loaded.withdrawn(), false));
      if (before != null && before.live()) {
        countUnits(before.grant().userId(), -before.left());
      }
      if (loaded.live()) {
        countUnits(grant.userId(), loaded.left());
      }
    }
    count();
  }

  Map<OrderToken, Recorded> recorded(List<OrderToken> tokens) {
    Map<OrderToken, Recorded> found = new HashMap<>();
    tokens.forEach(token -> found.computeIfAbsent(token, records::get));
    return found;
  }

  List<Grant> unbooked() {
    return InMemoryTokens.unbooked(records.values());
  }

  Snapshot snapshot(BucketCode code, long nowMs, List<OrderToken> tokens, int unbookedMax) {
    List<Grant> unbooked = unbooked();
    Map<OrderToken, Integer> live = new HashMap<>();
    recorded(tokens).values().stream()
        .filter(Recorded::live)
        .forEach(known -> live.put(known.grant().token(), known.left() + known.withdrawn()));
    return new Snapshot(
        code,
        total,
        claimed,
        released,
        epoch,
        version,
        term,
        state,
        settings,
        told,
        nowMs,
        unbooked.size(),
        unbooked.size() > unbookedMax ? List.of() : unbooked,
        live,
        skuTotal.orElse(StockStore.UNKNOWN));
  }

  private void set(BucketTotal ceiling) {
    taken = 0;
    total = ceiling.allotted();
    version = ceiling.version();
    state = ceiling.state();
    settings = ceiling.settings();
    skuTotal = ceiling.skuTotal();
  }

  void countUnits(String userId, int units) {
    if (settings.limitPerUser() > 0) {
      buyers.merge(userId, units, (had, more) -> had + more > 0 ? had + more : null);
    }
  }
}
