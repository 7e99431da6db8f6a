package io.sluice.orderlog.kafka;

import io.sluice.async.ContextDispatcher;
import io.sluice.config.KafkaConfig;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.PartitionListener;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the order log as a member of the group. Records are decoded on the poll thread; everything
 * else runs on the context that started it, from wherever it is called.
 */
public final class KafkaOrderLogConsumer implements OrderLogConsumer {
  private final Vertx vertx;
  private final KafkaConfig config;
  private final String ledger;
  private final KafkaAdmin admin;
  private final Runnable pollFailed;
  private @Nullable volatile ContextDispatcher home;
  private @Nullable volatile GroupMember member;
  private volatile boolean closed;

  /**
   * The topic must exist: {@link KafkaTopics#ensure}.
   *
   * @param ledger the id of the ledger
   */
  public KafkaOrderLogConsumer(
      Vertx vertx, KafkaConfig config, String ledger, KafkaAdmin admin, Meters meters) {
    this.vertx = vertx;
    this.ledger = ledger;
    this.config = config;
    this.admin = admin;
    this.pollFailed = meters.logPollsFailed()::increment;
  }

  @Override
  public Future<Void> start(PartitionListener listener) {
    if (home != null) {
      return Future.failedFuture(new IllegalStateException("Expected one start, but got another"));
    }
    home = ContextDispatcher.here(vertx);
    return vertx.executeBlocking(this::connect).compose(consumer -> join(consumer, listener));
  }

  /** Called on a worker thread, because it resolves host names and loads many classes. */
  private KafkaConsumer<String, Decoded> connect() {
    return new KafkaConsumer<>(
        ClientSettings.ordersConsumer(config, MemberName.next(config, ledger)),
        new StringDeserializer(),
        (topic, value) -> OrderLogCodec.decode(value));
  }

  private Future<Void> join(KafkaConsumer<String, Decoded> consumer, PartitionListener listener) {
    if (closed) {
      consumer.close();
      return Future.failedFuture(new IllegalStateException("Expected to join, but got closed"));
    }
    var group = new GroupMember.Group(config.group(), config.ordersTopic(), config.partitions());
    GroupMember joining = new GroupMember(vertx, group, admin, consumer, listener, pollFailed);
    member = joining;
    return joining.join();
  }

  /** A record was appended by this instance: it is read at once. From any thread. */
  public void appended() {
    if (isIdle()) {
      tell(GroupMember::stir);
    }
  }

  /** Whether polls rest because nothing comes. */
  boolean isIdle() {
    GroupMember joined = member;
    return joined != null && joined.isIdle();
  }

  @Override
  public Future<Void> startAt(int partition, long offset) {
    return ask(joined -> joined.startAt(partition, offset));
  }

  @Override
  public void pause(Set<Integer> partitions) {
    tell(joined -> joined.pause(partitions));
  }

  @Override
  public void resume(Set<Integer> partitions) {
    tell(joined -> joined.resume(partitions));
  }

  @Override
  public Future<Set<Integer>> assignedAfterNextPoll() {
    return ask(GroupMember::assignedAfterNextPoll);
  }

  @Override
  public Future<Boolean> hasOthers() {
    GroupMember joined = member;
    String own = joined == null ? "" : joined.id();
    return admin
        .members(config.group())
        .map(members -> members.stream().anyMatch(id -> !id.equals(own)));
  }

  @Override
  public Future<Optional<Set<Integer>>> settledShare() {
    GroupMember joined = member;
    return joined == null || joined.id().isEmpty()
        ? Future.succeededFuture(Optional.empty())
        : admin.settledShare(config.group(), joined.id(), config.partitions());
  }

  @Override
  public Future<Void> close() {
    closed = true;
    return member == null ? Future.succeededFuture() : ask(GroupMember::leave);
  }

  private <T> Future<T> ask(Function<GroupMember, Future<T>> question) {
    GroupMember joined = member;
    ContextDispatcher here = home;
    return joined == null || here == null
        ? Future.failedFuture(new IllegalStateException("Expected to be started, but am not"))
        : here.call(() -> question.apply(joined));
  }

  private void tell(Consumer<GroupMember> order) {
    GroupMember joined = member;
    ContextDispatcher here = home;
    if (joined != null && here != null) {
      here.run(() -> order.accept(joined));
    }
  }
}
