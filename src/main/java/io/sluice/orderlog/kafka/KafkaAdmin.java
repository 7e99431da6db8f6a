package io.sluice.orderlog.kafka;

import io.sluice.async.SharedQuestion;
import io.sluice.config.InvalidConfigException;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.LogUnavailableException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ConsumerGroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Queries topics, offsets and the group from the broker; one per instance.
 *
 * <p>Uses Kafka's own admin client: that of Vert.x can neither leave the replication factor to the
 * broker nor answer per topic.
 */
public final class KafkaAdmin {
  private final Vertx vertx;
  private final Admin admin;
  private final EndOffsets endOffsets;

  /** The first offset of a partition, and the offset of its next record. */
  record OffsetRange(long begin, long end) {
    boolean holds(long offset) {
      return offset >= begin && offset <= end;
    }
  }

  private KafkaAdmin(Vertx vertx, Admin admin) {
    this.vertx = vertx;
    this.admin = admin;
    this.endOffsets = new EndOffsets(admin::listOffsets);
  }

  /**
   * Connects in the background, so it succeeds while the broker is unavailable. Fails with {@link
   * InvalidConfigException} if Kafka's clients refuse {@code kafka.properties}, or the brokers
   * would refuse their certificate for its key.
   */
  public static Future<KafkaAdmin> open(Vertx vertx, KafkaConfig config) {
    return vertx.executeBlocking(() -> new KafkaAdmin(vertx, connect(config)));
  }

  private static Admin connect(KafkaConfig config) {
    try {
      PropertyCheck.certificate(config.properties(), ClientSettings.admin(config));
      return Admin.create(ClientSettings.admin(config));
    } catch (KafkaException refused) {
      throw config.properties().values().isEmpty()
          ? refused
          : PropertyCheck.unusable(config.properties(), refused);
    }
  }

  public Future<Void> close() {
    return vertx.executeBlocking(
        () -> {
          admin.close(Duration.ofMillis(ClientSettings.CALL_TIMEOUT_MS));
          return null;
        });
  }

  /** The descriptions of the topics that exist. */
  Future<Map<String, TopicDescription>> describe(List<String> topics) {
    List<Future<Optional<TopicDescription>>> answers =
        admin.describeTopics(topics).topicNameValues().values().stream()
            .map(answer -> emptyIfUnknown(bridge(answer)))
            .toList();
    return Future.join(answers)
        .map(
            all ->
                answers.stream()
                    .flatMap(answer -> answer.result().stream())
                    .collect(Collectors.toMap(TopicDescription::name, Function.identity())));
  }

  /** The number of brokers that are up. */
  Future<Integer> brokers() {
    return bridge(admin.describeCluster().nodes()).map(Collection::size);
  }

  /** The settings of a topic by name, those included that it has from its broker. */
  Future<Map<String, String>> settings(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return bridge(admin.describeConfigs(List.of(resource)).all())
        .map(
            all ->
                all.values().stream()
                    .flatMap(settings -> settings.entries().stream())
                    .filter(setting -> setting.value() != null)
                    .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value)));
  }

  /** Creates the topic, unless another instance has created it in the meantime. */
  Future<Void> create(NewTopic topic) {
    return bridge(admin.createTopics(List.of(topic)).all())
        .recover(
            failure ->
                failure instanceof TopicExistsException
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  /**
   * The offset of this partition's next record. Asks the partition's leader, which has everything
   * that was ever acknowledged. Kafka's client asks for a leader that is missing without a pause,
   * until its time is up; so this is not called if it is known to be missing.
   */
  Future<Long> endOffset(String topic, int partition) {
    return bridge(endOffsets.of(new TopicPartition(topic, partition)).toCompletionStage());
  }

  /**
   * The end offsets of partitions 0 to {@code count - 1}, by partition; those that cannot be read
   * now are left out.
   */
  public Future<Map<Integer, Long>> endOffsets(String topic, int count) {
    return known(count, partition -> endOffset(topic, partition));
  }

  /** Likewise the first offsets that they still have. */
  public Future<Map<Integer, Long>> beginOffsets(String topic, int count) {
    return known(count, partition -> beginOffset(topic, partition));
  }

  private static Future<Map<Integer, Long>> known(int count, IntFunction<Future<Long>> offsetOf) {
    return known(IntStream.range(0, count).boxed().toList(), offsetOf::apply);
  }

  private static Future<Map<Integer, Long>> known(
      Collection<Integer> partitions, Function<Integer, Future<Long>> offsetOf) {
    Map<Integer, Future<Long>> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, offsetOf.apply(partition)));
    return Future.join(List.copyOf(asked.values()))
        .transform(
            all ->
                Future.succeededFuture(
                    asked.entrySet().stream()
                        .filter(one -> one.getValue().succeeded())
                        .collect(
                            Collectors.toMap(Map.Entry::getKey, one -> one.getValue().result()))));
  }

  /** The first offset that the partition still has. */
  Future<Long> beginOffset(String topic, int partition) {
    TopicPartition where = new TopicPartition(topic, partition);
    return bridge(admin.listOffsets(Map.of(where, OffsetSpec.earliest())).partitionResult(where))
        .map(ListOffsetsResultInfo::offset);
  }

  /** Fails at once if the partition has no leader. */
  Future<OffsetRange> range(String topic, int partition) {
    return describe(List.of(topic))
        .compose(
            found -> {
              if (found.values().stream().noneMatch(one -> hasLeader(one, partition))) {
                return Future.failedFuture(noLeader(topic, partition));
              }
              Future<Long> end = endOffset(topic, partition);
              return beginOffset(topic, partition)
                  .compose(begin -> end.map(last -> new OffsetRange(begin, last)));
            });
  }

  /**
   * What a topic has now.
   *
   * @param ranges by partition; those that cannot be read now are left out
   */
  record Kept(String topicId, Map<Integer, OffsetRange> ranges) {}

  /**
   * What the partitions 0 to {@code count - 1} of a topic have. Fails if there is no such topic.
   */
  Future<Kept> kept(String topic, int count) {
    return describe(List.of(topic))
        .compose(
            found -> {
              TopicDescription known = found.get(topic);
              if (known == null) {
                return Future.failedFuture(
                    new LogUnavailableException(
                        "Expected topic %s, but it is missing".formatted(topic)));
              }
              List<Integer> led =
                  IntStream.range(0, count)
                      .filter(partition -> hasLeader(known, partition))
                      .boxed()
                      .toList();
              return ranges(topic, led).map(ranges -> new Kept(known.topicId().toString(), ranges));
            });
  }

  private Future<Map<Integer, OffsetRange>> ranges(String topic, List<Integer> partitions) {
    Future<Map<Integer, Long>> begins =
        offsets(topic, partitions, OffsetSpec.earliest(), ListOffsetsResultInfo::offset);
    Future<Map<Integer, Long>> ends = known(partitions, partition -> endOffset(topic, partition));
    return begins.compose(first -> ends.map(last -> paired(first, last)));
  }

  private static Map<Integer, OffsetRange> paired(
      Map<Integer, Long> begins, Map<Integer, Long> ends) {
    Map<Integer, OffsetRange> ranges = new HashMap<>();
    begins.forEach(
        (partition, begin) -> {
          Long end = ends.get(partition);
          if (end != null) {
            ranges.put(partition, new OffsetRange(begin, end));
          }
        });
    return ranges;
  }

  /**
   * When the oldest records of these partitions were written, in milliseconds since the epoch.
   * Partitions that have none, or cannot be read now, are left out.
   */
  Future<Map<Integer, Long>> oldestMs(String topic, Collection<Integer> partitions) {
    return offsets(topic, partitions, OffsetSpec.forTimestamp(0), ListOffsetsResultInfo::timestamp)
        .map(
            all -> {
              Map<Integer, Long> found = new HashMap<>(all);
              found.values().removeIf(timestamp -> timestamp < 0);
              return found;
            });
  }

  /** Answers of one request, of the partitions that answer. */
  private Future<Map<Integer, Long>> offsets(
      String topic,
      Collection<Integer> partitions,
      OffsetSpec which,
      Function<ListOffsetsResultInfo, Long> value) {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(new TopicPartition(topic, partition), which));
    ListOffsetsResult answers = admin.listOffsets(wanted);
    return known(
        partitions,
        partition ->
            bridge(answers.partitionResult(new TopicPartition(topic, partition))).map(value));
  }

  private static boolean hasLeader(TopicDescription topic, int partition) {
    return topic.partitions().stream()
        .anyMatch(one -> one.partition() == partition && hasLeader(one));
  }

  static boolean hasLeader(TopicPartitionInfo partition) {
    return partition.leader() != null && !partition.leader().isEmpty();
  }

  static LogUnavailableException noLeader(String topic, int partition) {
    return new LogUnavailableException(
        "Expected a leader of %s-%d, but it has none".formatted(topic, partition));
  }

  /**
   * Which of these partitions the group assigns to this member. During a rebalance only the members
   * are known, so a member keeps all of them.
   */
  Future<Set<Integer>> heldBy(String group, String memberId, Set<Integer> partitions) {
    return described(group).map(found -> partitionsOf(found, memberId, partitions));
  }

  /**
   * The partitions assigned to this member, once no rebalance is in progress and every partition
   * from 0 to {@code count - 1} is assigned; empty before.
   */
  Future<Optional<Set<Integer>>> settledShare(String group, String memberId, int count) {
    return described(group).map(found -> shareIfSettled(found, memberId, count));
  }

  private Future<ConsumerGroupDescription> described(String group) {
    return bridge(
        Objects.requireNonNull(
            admin.describeConsumerGroups(List.of(group)).describedGroups().get(group)));
  }

  private static Optional<Set<Integer>> shareIfSettled(
      ConsumerGroupDescription group, String memberId, int count) {
    long given =
        group.members().stream().flatMap(one -> given(one, count).stream()).distinct().count();
    return group.state() == ConsumerGroupState.STABLE && given >= count
        ? member(group, memberId).map(one -> given(one, count))
        : Optional.empty();
  }

  private static Optional<MemberDescription> member(ConsumerGroupDescription group, String id) {
    return group.members().stream().filter(one -> one.consumerId().equals(id)).findFirst();
  }

  /** Without partitions that are not used. */
  private static Set<Integer> given(MemberDescription member, int count) {
    return member.assignment().topicPartitions().stream()
        .map(TopicPartition::partition)
        .filter(partition -> partition < count)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The other ledgers whose instances are in the group now, as far as these say. */
  public Future<Set<String>> otherLedgers(String group, String ledger) {
    return described(group)
        .map(
            found ->
                found.members().stream()
                    .flatMap(member -> InstanceName.ledgerIn(member.clientId()).stream())
                    .filter(named -> !named.equals(ledger))
                    .collect(Collectors.toUnmodifiableSet()))
        .recover(
            cause ->
                cause instanceof GroupIdNotFoundException
                    ? Future.succeededFuture(Set.of())
                    : Future.failedFuture(cause));
  }

  /** The ids of the group's members. */
  Future<Set<String>> members(String group) {
    return described(group)
        .map(
            found ->
                found.members().stream()
                    .map(MemberDescription::consumerId)
                    .collect(Collectors.toUnmodifiableSet()));
  }

  private static Set<Integer> partitionsOf(
      ConsumerGroupDescription group, String memberId, Set<Integer> partitions) {
    Optional<MemberDescription> member = member(group, memberId);
    if (member.isEmpty()) {
      return Set.of();
    }
    if (group.state() != ConsumerGroupState.STABLE) {
      return partitions;
    }
    return given(member.get(), Integer.MAX_VALUE).stream()
        .filter(partitions::contains)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Future<Optional<TopicDescription>> emptyIfUnknown(
      Future<TopicDescription> described) {
    return described
        .map(Optional::of)
        .recover(
            failure ->
                failure instanceof UnknownTopicOrPartitionException
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  /** Completes on the caller's context, from the admin client's thread. */
  private <T> Future<T> bridge(KafkaFuture<T> asked) {
    return bridge(asked.toCompletionStage());
  }

  private <T> Future<T> bridge(CompletionStage<T> asked) {
    Context caller = vertx.getOrCreateContext();
    Promise<T> answer = Promise.promise();
    asked.whenComplete(
        (value, failure) -> caller.runOnContext(now -> answer.complete(value, unwrapped(failure))));
    return answer.future();
  }

  private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /**
   * Reads the end offsets of partitions. All that are asked for within {@link #GATHER_MS} cost one
   * request, since the owners of an instance ask at the same time, again and again. Thread-safe.
   */
  static final class EndOffsets {
    static final int GATHER_MS = 2;

    private final Function<Map<TopicPartition, OffsetSpec>, ListOffsetsResult> list;
    private final SharedQuestion<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> question =
        new SharedQuestion<>(this::read, GATHER_MS);

    /**
     * @param list sends one request, with a time limit
     */
    EndOffsets(Function<Map<TopicPartition, OffsetSpec>, ListOffsetsResult> list) {
      this.list = list;
    }

    /** The offset of the partition's next record, read after this call; completes on any thread. */
    Future<Long> of(TopicPartition where) {
      return question
          .ask(where)
          .compose(end -> Future.fromCompletionStage(end.toCompletionStage()))
          .map(ListOffsetsResultInfo::offset);
    }

    /**
     * Over once the request is sent, so that each partition is answered alone: one without a leader
     * does not delay the others.
     */
    private Future<List<KafkaFuture<ListOffsetsResultInfo>>> read(List<TopicPartition> asked) {
      Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
      asked.forEach(where -> wanted.put(where, OffsetSpec.latest()));
      ListOffsetsResult ends = list.apply(wanted);
      return Future.succeededFuture(asked.stream().map(ends::partitionResult).toList());
    }
  }
}
