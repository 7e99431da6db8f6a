package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Fence;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.LedgerKeys;
import io.sluice.model.Sha256;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The values that all instances of one ledger share permanently. The first instance that starts
 * writes them. All instances, the first included, use the values that they read afterwards.
 */
public class MySqlLedgerIdentity {
  private static final String TOKEN_SECRET = "token_secret";

  private static final String GROUP = "kafka_group";

  private static final String DRAWN = "drawn:";
  private static final String CONFIGURED = "configured:";
  private static final int SECRET_BYTES = 16;
  private static final String LEDGER_ID = "ledger_id";
  private static final int ID_BYTES = 6;
  private static final String EVENT_KEY = "event_key";
  private static final int EVENT_KEY_BYTES = 32;

  private final LedgerDatabase database;
  private final SecureRandom random = new SecureRandom();

  public MySqlLedgerIdentity(Database database) {
    this.database = new LedgerDatabase(database);
  }

  /**
   * The secret of order tokens, 16 bytes: drawn once and stored if {@code configured} is empty,
   * else derived from it, and only its fingerprint stored. Fails with {@link
   * IdentityMismatchException} if the ledger was founded with another secret.
   */
  public Future<byte[]> tokenSecret(String configured) {
    byte[] mine = configured.isEmpty() ? drawn(SECRET_BYTES) : derived(configured);
    String laid =
        configured.isEmpty()
            ? DRAWN + Base64.getEncoder().encodeToString(mine)
            : CONFIGURED + fingerprint(mine);
    return layDown(Map.of(TOKEN_SECRET, laid))
        .compose(
            found -> {
              String kept = Objects.requireNonNull(found.get(TOKEN_SECRET));
              boolean isDrawn = kept.startsWith(DRAWN);
              if (isDrawn && configured.isEmpty()) {
                return Future.succeededFuture(
                    Base64.getDecoder().decode(kept.substring(DRAWN.length())));
              }
              return kept.equals(laid)
                  ? Future.succeededFuture(mine)
                  : Future.failedFuture(otherSecret(isDrawn));
            });
  }

  /** What distinguishes this ledger from others; drawn once, before it has an order log. */
  public Future<LedgerKeys> keys() {
    String eventKey = Base64.getEncoder().encodeToString(drawn(EVENT_KEY_BYTES));
    return layDown(
            Map.of(LEDGER_ID, HexFormat.of().formatHex(drawn(ID_BYTES)), EVENT_KEY, eventKey))
        .map(
            found ->
                new LedgerKeys(
                    Objects.requireNonNull(found.get(LEDGER_ID)),
                    Base64.getDecoder().decode(Objects.requireNonNull(found.get(EVENT_KEY)))));
  }

  /** Fails with {@link IdentityMismatchException} if the ledger has another id than this by now. */
  public Future<Void> expect(LedgerKeys keys) {
    return database
        .read(FoundationTable::list)
        .compose(
            found ->
                expect(
                    keys.id().equals(found.get(LEDGER_ID)),
                    "Expected the database to be that of ledger %s, as when this instance started, but it is that of ledger %s; end all instances, then start them again"
                        .formatted(keys.id(), found.get(LEDGER_ID))));
  }

  /**
   * Fixes the order log's partition count and topic id, or fails with {@link
   * IdentityMismatchException}. A ledger without an order log gets this one. The instance that
   * founds the ledger also records the end offset of each partition: owners begin there, so that
   * what an older ledger has sold is not sold again.
   *
   * @param ends reads each partition's end offset; only called if the ledger is not founded yet. It
   *     must not complete until the offset of every partition is known
   */
  public Future<Void> orderLog(
      int partitions, String topicId, Supplier<Future<Map<Integer, Long>>> ends) {
    return database
        .read(FoundationTable::list)
        .compose(
            found ->
                found.containsKey(FoundationTable.TOPIC_ID)
                    ? agree(found, partitions, topicId)
                    : ends.get()
                        .compose(known -> complete(known, partitions))
                        .compose(known -> found(partitions, topicId, known)));
  }

  /**
   * Fails if a partition's end is unknown: that partition would be read from its first record on.
   */
  private static Future<Map<Integer, Long>> complete(Map<Integer, Long> ends, int partitions) {
    List<Integer> unknown =
        IntStream.range(0, partitions).filter(n -> !ends.containsKey(n)).boxed().toList();
    return unknown.isEmpty()
        ? Future.succeededFuture(ends)
        : Future.failedFuture(
            new IllegalStateException(
                "Expected the end offset of every partition of the order log, to found the ledger,"
                    + " but it is unknown of "
                    + unknown));
  }

  /**
   * One transaction, so that a kill leaves all rows or none. A second instance waits at the first
   * row and then finds all of them. No instance appends before the first has committed, so each end
   * offset that was read before is at or below the first record of this ledger.
   */
  private Future<Void> found(int partitions, String topicId, Map<Integer, Long> ends) {
    Map<String, String> identity =
        Map.of(
            FoundationTable.PARTITIONS,
            FoundationTable.partitions(partitions),
            FoundationTable.TOPIC_ID,
            topicId);
    return database
        .inTransaction(
            session ->
                giveLog(session, partitions)
                    .compose(given -> FoundationTable.insert(session, identity))
                    .compose(laid -> FoundationTable.list(session))
                    .compose(
                        found ->
                            isFounded(found, partitions, topicId)
                                ? FoundationTable.insert(session, FoundationTable.begins(ends))
                                    .compose(
                                        noted ->
                                            session.update(
                                                SqlStatement.FOUND_FENCES, Tuple.tuple()))
                                    .map(found)
                                : Future.succeededFuture(found)))
        .compose(found -> agree(found, partitions, topicId));
  }

  private static boolean isFounded(Map<String, String> found, int partitions, String topicId) {
    return FoundationTable.isOf(found.getOrDefault(FoundationTable.PARTITIONS, ""), partitions)
        && topicId.equals(found.get(FoundationTable.TOPIC_ID));
  }

  /** A ledger without an order log keeps its level when it gets one. */
  private static Future<Void> giveLog(SqlSession session, int partitions) {
    return FoundationTable.partitions(session)
        .compose(
            kept ->
                FoundationTable.hasNoLog(kept)
                    ? FoundationTable.change(
                        session,
                        FoundationTable.PARTITIONS,
                        FoundationTable.withLog(kept, partitions))
                    : Future.succeededFuture());
  }

  /**
   * Fixes that the ledger has no order log, until an instance that has one founds it here; then, or
   * if it has one already, fails with {@link IdentityMismatchException}.
   */
  public Future<Void> noOrderLog() {
    return layDown(Map.of(FoundationTable.PARTITIONS, FoundationTable.partitions(0)))
        .compose(
            found ->
                expect(
                    FoundationTable.hasNoLog(found.getOrDefault(FoundationTable.PARTITIONS, "")),
                    "Expected kafka.bootstrap_servers and redis.uri to be set, since the ledger"
                        + " has an order log, but they are empty"));
  }

  private static Future<Void> agree(Map<String, String> found, int partitions, String topicId) {
    return expect(
        isFounded(found, partitions, topicId),
        "Expected the order log that the ledger was founded with (topic id %s, kafka.partitions %s), but found topic id %s, kafka.partitions %s; %s"
            .formatted(
                found.get(FoundationTable.TOPIC_ID),
                found.get(FoundationTable.PARTITIONS),
                topicId,
                FoundationTable.partitions(partitions),
                IdentityMismatchException.LOST_LOG));
  }

  /**
   * The fences that {@link #adoptLog} would replace now. Fails with {@link
   * IdentityMismatchException} if it would; changes nothing.
   */
  public Future<List<Fence>> adoptable(int partitions, String topicId) {
    return new LogAdoption(database, partitions, topicId, Map.of()).foresee();
  }

  /**
   * Founds a new order log in a ledger whose own one is lost, in one transaction. Writes its topic
   * id; the next offset of each partition, under a higher term; and a request to rebuild all
   * buckets. The rebuild first books what only Redis knows. Fails with {@link
   * IdentityMismatchException} and changes nothing if the ledger has no order log or has this one,
   * if the partition counts differ, or if another instance is alive.
   *
   * @param ends the end offset of each partition of the new log
   * @return the fences as they were
   */
  public Future<List<Fence>> adoptLog(int partitions, String topicId, Map<Integer, Long> ends) {
    return new LogAdoption(database, partitions, topicId, new TreeMap<>(ends)).run();
  }

  /**
   * Fixes the consumer group of owners, or fails with {@link IdentityMismatchException}. With two
   * groups each partition would have two owners, which would take it from each other again and
   * again.
   */
  public Future<Void> group(String group) {
    return layDown(Map.of(GROUP, group))
        .compose(
            found -> {
              String kept = Objects.requireNonNull(found.get(GROUP));
              return expect(
                  kept.equals(group),
                  "Expected kafka.group %s, with which the ledger was founded, but it is %s"
                      .formatted(kept, group));
            });
  }

  private static Future<Void> expect(boolean isSo, String otherwise) {
    return isSo
        ? Future.succeededFuture()
        : Future.failedFuture(new IdentityMismatchException(otherwise));
  }

  private Future<Map<String, String>> layDown(Map<String, String> values) {
    return database.inTransaction(
        session ->
            FoundationTable.insert(session, values).compose(done -> FoundationTable.list(session)));
  }

  private static IdentityMismatchException otherSecret(boolean isDrawn) {
    return new IdentityMismatchException(
        isDrawn
            ? "Expected auth.token_secret to be empty, since the ledger was founded with a drawn"
                + " secret, but it is set"
            : "Expected the auth.token_secret that the ledger was founded with, but it is empty or"
                + " another");
  }

  private byte[] drawn(int bytes) {
    byte[] secret = new byte[bytes];
    random.nextBytes(secret);
    return secret;
  }

  private static byte[] derived(String configured) {
    return Arrays.copyOf(Sha256.of(configured), SECRET_BYTES);
  }

  /** Allows to compare secrets without revealing them. */
  private static String fingerprint(byte[] secret) {
    return HexFormat.of().formatHex(Sha256.of(secret));
  }
}
